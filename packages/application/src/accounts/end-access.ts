/** Ends what a user, or somebody for it, has begun: sessions, tokens, links and previews. */
import { endedAccess, entryKinds, type User } from '@publishing-service/access'
import { forEachPage } from '../engine/for-each-page.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { SignInLinks } from './sign-in-links.js'
import type { SignInSessions } from './sign-in-sessions.js'

const { keys, tokens, previews } = systemCollections

/** Functions throw a Failure. */
export type EndAccess = {
  /** What a change of the user ends. */
  readonly ofChange: (user: string, before: User, after: User) => Promise<void>
  /** Its sessions, the tokens of its keys, and its previews. */
  readonly sessions: (user: string) => Promise<void>
  /** Its links for getting in. */
  readonly links: (user: string) => Promise<void>
  /** Everything but its keys and ways in. */
  readonly all: (user: string) => Promise<void>
  /** The keys of a user, which are not revoked by this. */
  readonly keysOf: (user: string) => Promise<readonly string[]>
}

export const createEndAccess = (
  { documents: all }: Pick<Ports, 'documents'>,
  signInSessions: Pick<SignInSessions, 'endAll'>,
  signInLinks: Pick<SignInLinks, 'removeAll'>,
): EndAccess => {
  const documents = documentsIn(all, systemInstance)

  const keysOf = async (user: string): Promise<readonly string[]> => {
    const found: string[] = []
    const where = [{ key: 'user', equals: user }] as const
    await forEachPage({ documents, collection: keys.name, where, limit: 200 }, (page) =>
      found.push(...page.map(({ id }) => id)),
    )
    return found
  }

  const endSessions = async (user: string): Promise<void> => {
    await signInSessions.endAll(user, null)
    await removeAllStored(documents, previews.name, [{ key: 'user', equals: user }])
    for (const key of await keysOf(user))
      await removeAllStored(documents, tokens.name, [{ key: 'key', equals: key }])
  }

  return {
    ofChange: async (user, before, after) => {
      const { links, sessions } = endedAccess(before, after)
      if (links.length > 0) await signInLinks.removeAll(user, links)
      if (sessions) await endSessions(user)
    },
    sessions: endSessions,
    links: async (user) => void (await signInLinks.removeAll(user, entryKinds)),
    all: async (user) => {
      await signInLinks.removeAll(user)
      await endSessions(user)
    },
    keysOf,
  }
}
