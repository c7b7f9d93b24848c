/** The account of a person, their sessions, and links for others (docs/behaviour/accounts.md). */
import { forbidden, notFound, type Problem, viewOf } from '@publishing-service/domain'
import {
  type Account,
  accountChange,
  type AccountState,
  deploymentOperations,
  entryKinds,
  hasWayIn,
  type KeyedWayIn,
  lastWayInProblem,
  linkKindFor,
  linkRequest,
  losesWayIn,
  type MailState,
  newPassword,
  ownOf,
  recordedChanges,
  sessionRows,
  type User,
  wayInChangeProblem,
  wayInWith,
  withConfirmedEmail,
  withoutCodes,
  withTypedEmail,
} from '@publishing-service/access'
import type { Shape } from '@publishing-service/domain/declare'
import { utcTime } from '@publishing-service/domain/time'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { draftOf } from '../administration/draft-of.js'
import { deploymentView, listRows } from '../administration/list-rows.js'
import { managedUser } from '../administration/managed-user.js'
import { fail, throwIf } from '../attempt.js'
import type { Recorded } from '../recording.js'
import { systemCollections } from '../collections.js'
import type { DeploymentOperation, DeploymentSession } from '../deployment-operation.js'
import type { MailedLink } from './sign-in-links.js'
import type { NamedUser } from './stored-account.js'
import { requirePrecondition } from '../engine/precondition.js'
import { hashPassword } from './hash-password.js'

type Body = { readonly body: JsonObject }

/** The id of the caller; Forbidden for a command of the command line, which is nobody’s account. */
export const ownId = ({ caller }: DeploymentSession): string => {
  if (caller.id === null) fail(forbidden)
  return caller.id
}

/** The account of the caller, with its user. */
export type Own = NamedUser & { readonly account: AccountState }

export const readOwn = async (session: DeploymentSession): Promise<Own> => {
  const id = ownId(session)
  const user = await session.accounts.user(id)
  if (user === null) fail(notFound)
  return { id, user, account: await session.accounts.read(id) }
}

export const requireRecentSignIn = ({ caller, clock }: DeploymentSession): void =>
  throwIf(wayInChangeProblem(caller.session ?? null, clock.now()))

/** The account of a caller who has signed in recently, and so may change their ways in. */
export const readOwnRecently = (session: DeploymentSession): Promise<Own> => {
  requireRecentSignIn(session)
  return readOwn(session)
}

/** An account as its owner sees it. */
const shownAccount = async (
  { caller, signInLinks }: DeploymentSession,
  { id, user, account }: Own,
): Promise<Account> => {
  const { email, email_confirmed: isConfirmed } = user
  const end = isConfirmed ? null : await signInLinks.confirmationEnd(id, email)
  return {
    uuid: id,
    ...ownOf(user),
    email_confirmed: isConfirmed,
    confirmation_expires: end === null ? null : utcTime(end),
    picture: account.picture,
    has_password: account.password !== null,
    has_one_time_codes: account.one_time_secret !== null,
    recovery_codes: account.recovery_codes.length,
    passkeys: account.passkeys.length,
    identities: account.identities.length,
    session: caller.session?.id ?? null,
  }
}

export const readAccount: DeploymentOperation<null, Account> = {
  ...deploymentOperations.readAccount,
  run: async (session) => shownAccount(session, await readOwn(session)),
}

const linkInvalid: Problem<'LinkInvalid'> = { _tag: 'LinkInvalid' }

export type AccountChange = { readonly id: string; readonly name: string; readonly changed: JsonObject }

export const ofAccount = {
  changed: (_input: unknown, { id, name, changed }: AccountChange) => [
    { object: id, title: name, changes: changed },
  ],
}

/** The address of the dashboard, for the link in a mail; null for no mail. */
type Mailed = { readonly dashboard: string | null }

/**
 * Changes name, address, language and picture. Another address needs a recent sign-in, and is not confirmed: a link that
 * confirms it is mailed to it.
 */
export const changeAccount: DeploymentOperation<Body & Mailed, AccountChange> = {
  ...deploymentOperations.changeAccount,
  ...ofAccount,
  run: async (session, { body, dashboard }) => {
    const { id, user, account } = await readOwn(session)
    const previous = { ...ownOf(user), picture: account.picture }
    const { picture, email, ...own } = draftOf(session, accountChange.attributes, 'patch', body, previous)
    const isOther = email !== user.email
    if (isOther) {
      requireRecentSignIn(session)
      session.emailConfirmation.requireMore(id)
    }
    const rule = (before: User): User => ({ ...withTypedEmail(before, email), ...own })
    const after = rule(user)
    const changed = recordedChanges(user, after)
    const change = {
      id,
      name: own.name,
      changed: picture === account.picture ? changed : { ...changed, picture: {} },
    }
    const asChange: Recorded<unknown> = (_written, write) => session.recorded(change, write)
    const { precondition } = session
    await session.administerUsers.changeOwn(
      id,
      async (before, together) => {
        if (precondition !== undefined) {
          const current = { id, user: before, account: await session.accounts.read(id) }
          requirePrecondition(precondition, await shownAccount(session, current))
        }
        if (picture !== account.picture)
          together(await session.accounts.changeOf(id, (other) => ({ ...other, picture })))
        return rule(before)
      },
      asChange,
    )
    if (isOther && dashboard !== null) await session.emailConfirmation.send({ id, user: after }, dashboard)
    return change
  },
}

/** Mails the link again that confirms the address of the caller. */
export const mailConfirmation: DeploymentOperation<
  { readonly dashboard: string },
  { readonly id: string; readonly name: string; readonly mailed: MailState }
> = {
  ...deploymentOperations.mailConfirmation,
  run: async (session, { dashboard }) => {
    const { id, user } = await readOwn(session)
    requirePrecondition(session.precondition, null)
    session.emailConfirmation.requireMore(id)
    const off = { id, name: user.name, mailed: 'off' as const }
    const mailed = await session.emailConfirmation.send({ id, user }, dashboard, (_link, write) =>
      session.recorded(off, write),
    )
    return { ...off, mailed }
  },
  changed: (_input, { id, name }) => [{ object: id, title: name, changes: { link: 'confirmation' } }],
}

/** Confirms the address of the caller with the link that was mailed to it. */
export const confirmEmail: DeploymentOperation<Body, AccountChange, 'LinkInvalid'> = {
  ...deploymentOperations.confirmEmail,
  ...ofAccount,
  run: async (session, { body }, failWith) => {
    const { id, user } = await readOwn(session)
    const { token } = draftOf(session, linkRequest.attributes, 'put', body, null)
    const { user: person, email } = await session.signInLinks.findConfirmation(token, failWith)
    const rule = (before: User): User => {
      // The address may have been changed meanwhile.
      if (person !== id || before.email !== email) return failWith(linkInvalid)
      return withConfirmedEmail(before)
    }
    const change = { id, name: user.name, changed: recordedChanges(user, rule(user)) }
    await session.administerUsers.changeOwn(id, rule, (_written, write) => session.recorded(change, write))
    await session.signInLinks.removeAll(id, ['confirmation'])
    return change
  },
}

/** Changes the ways in of the caller, of which one is left. Its other sessions end if it loses one, or replaces it. */
export const changeWaysIn = async (
  { accounts, caller, endAccess, signInSessions }: DeploymentSession,
  { id, user }: NamedUser,
  changed: JsonObject,
  rule: (before: AccountState) => AccountState,
  recorded: Recorded<AccountChange>,
): Promise<AccountChange> => {
  const change = { id, name: user.name, changed }
  let isLess = false
  let hasOtherPassword = false
  await accounts.change(
    id,
    (before) => {
      const after = rule(before)
      throwIf(lastWayInProblem(before, after))
      isLess = losesWayIn(before, after)
      hasOtherPassword = after.password !== before.password
      return after
    },
    async (_change, write) => {
      if (hasOtherPassword) await endAccess.links(id)
      return recorded(change, write)
    },
  )
  if (hasOtherPassword) await endAccess.links(id)
  if (isLess) await signInSessions.endAll(id, caller.session?.id ?? null)
  return change
}

/** A passkey or an identity as its owner sees it. */
export const shownWayIn = (
  session: DeploymentSession,
  shape: Shape,
  wayIn: KeyedWayIn & JsonObject,
): JsonObject => viewOf(shape, wayIn, deploymentView(session, wayIn.key))

/** The way in of a key; throws NotFound if there is none. */
export const existingWayIn = <W extends KeyedWayIn>(waysIn: readonly W[], key: string): W => {
  const found = wayInWith(waysIn, key)
  if (found === null) fail(notFound)
  return found
}

/** Sets the password. */
export const setPassword: DeploymentOperation<Body, AccountChange> = {
  ...deploymentOperations.setPassword,
  ...ofAccount,
  run: async (session, { body }) => {
    const own = await readOwnRecently(session)
    const { password } = draftOf(session, newPassword.attributes, 'put', body, null)
    const hash = await hashPassword(session, password, own.user)
    const now = session.clock.now()
    const rule = (before: AccountState) => ({ ...before, password: hash, password_changed: now })
    return changeWaysIn(session, own, { password: 'set' }, rule, session.recorded)
  },
}

/** Removes the password, and the second factor with it. */
export const removePassword: DeploymentOperation<null, AccountChange> = {
  ...deploymentOperations.removePassword,
  ...ofAccount,
  run: async (session) =>
    changeWaysIn(
      session,
      await readOwnRecently(session),
      { password: 'removed' },
      (before) => ({
        ...before,
        password: null,
        password_changed: null,
        ...withoutCodes,
      }),
      session.recorded,
    ),
}

/** The sessions of the caller. */
export const listSessions: DeploymentOperation<{ readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listSessions,
  run: async (session, { parameters }) =>
    listRows(session, {
      collection: systemCollections.signInSessions.name,
      rows: sessionRows,
      parameters,
      where: [{ key: 'user', equals: ownId(session) }],
      initialOrder: [{ key: 'created', direction: 'desc' }],
    }),
}

const sessionsEnded = {
  changed: (_input: unknown, { id }: { readonly id: string }) => [{ object: id }],
}

/** Ends one session of the caller, and returns the id of the caller. */
export const endSession: DeploymentOperation<{ readonly id: string }, { readonly id: string }> = {
  ...deploymentOperations.endSession,
  ...sessionsEnded,
  run: async (session, { id }) => {
    const user = ownId(session)
    if ((await session.signInSessions.read(id))?.user !== user) fail(notFound)
    requirePrecondition(session.precondition, null)
    await session.signInSessions.end(id)
    return { id: user }
  },
}

/** Ends all sessions of the caller, this one too. */
export const endSessions: DeploymentOperation<null, { readonly id: string }> = {
  ...deploymentOperations.endSessions,
  ...sessionsEnded,
  run: async (session) => {
    const id = ownId(session)
    requirePrecondition(session.precondition, null)
    await session.signInSessions.endAll(id, null)
    return { id }
  },
}

type OfUser = { readonly user: string }

/** A link, and what has become of the mail with it. */
type CreatedLink = MailedLink & { readonly mailed: MailState }

/** Makes a link with which a person sets up their account, or gets in again. It takes the place of the last one. */
export const createLink: DeploymentOperation<OfUser & Mailed, CreatedLink> = {
  ...deploymentOperations.createLink,
  run: async (session, { user, dashboard }) => {
    const { accounts, mailQueue, signInLinks } = session
    const person = await managedUser(session, user)
    const kind = linkKindFor(hasWayIn(await accounts.read(user)))
    const off: MailState = 'off'
    const { id, user: name } = session.caller
    const link = await signInLinks.create(
      user,
      kind,
      (issued, write) => session.recorded({ ...issued, kind, mailed: off }, write),
      id === null ? {} : { maker: { user: id, name } },
    )
    const isMailed = person.email !== null && dashboard !== null
    return { ...link, mailed: isMailed ? await mailQueue.send(link, user, dashboard) : off }
  },
  changed: ({ user }, { kind }) => [{ object: user, changes: { link: kind } }],
}

/** Revokes the link of a person. */
export const removeLinks: DeploymentOperation<OfUser, null> = {
  ...deploymentOperations.removeLinks,
  run: async (session, { user }) => {
    await managedUser(session, user)
    requirePrecondition(session.precondition, null)
    if ((await session.signInLinks.removeAll(user, entryKinds)) === 0) fail(notFound)
    return null
  },
  changed: ({ user }) => [{ object: user, changes: { link: 'revoked' } }],
}
