/** What of a person ends with a change of their user: links, sessions, tokens, previews (docs/behaviour/accounts.md#what-ends). */
import { jsonEqual } from '@publishing-service/domain/json'
import { entryKinds, linkKinds, type LinkKind } from './links.js'
import { noUser, type User } from './user.js'

/** What a change of a user ends. */
export type EndedAccess = {
  /** The kinds of its links that end. */
  readonly links: readonly LinkKind[]
  /** Whether its sessions, the tokens of its keys and its previews end. */
  readonly sessions: boolean
}

/** What a change of a user ends: links with another address or other rights, and everything when it is disabled or deleted. */
export const endedAccess = (before: User, after: User): EndedAccess => {
  if (before === noUser) return { links: [], sessions: false }
  // Enabling ends what is left by a process that was killed while it disabled the user.
  if (after === noUser || before.disabled !== after.disabled) return { links: linkKinds, sessions: true }
  if (before.email !== after.email) return { links: linkKinds, sessions: false }
  const hasSameRights = before.operator === after.operator && jsonEqual(before.roles, after.roles)
  return { links: hasSameRights ? [] : entryKinds, sessions: false }
}
