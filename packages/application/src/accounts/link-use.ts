/** What a person does with a link: they set up their account, or get in again (docs/behaviour/accounts.md#links). */
import { badParameters, type Problem } from '@publishing-service/domain'
import {
  acceptanceProblem,
  acceptedUser,
  type AccountState,
  firstPasskeyTitle,
  hasWayIn,
  linkAcceptance,
  linkRequest,
  type ShownLink,
  type User,
  withoutCodes,
} from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Secrets } from '@publishing-service/ports'
import { draftOf } from '../administration/draft-of.js'
import { emailTaken, type AdministerUsers, type OwnRule } from '../administration/administer-users.js'
import { fail, throwIf } from '../attempt.js'
import type { Audit } from '../audit/audit.js'
import { auditChangesOf } from '../deployment-operation.js'
import type { Ports } from '../ports.js'
import type { Fail } from '../failure.js'
import type { EmailConfirmation } from './email-confirmation.js'
import type { EndAccess } from './end-access.js'
import { hashPassword } from './hash-password.js'
import { optionsOfNewPasskey, verifyNewPasskey, withNewPasskey } from './new-passkey.js'
import type { SignInChallenges } from './sign-in-challenges.js'
import type { SignInLink, SignInLinks } from './sign-in-links.js'
import type { BegunSession, SignInSessions } from './sign-in-sessions.js'
import type { Accounts, NamedUser } from './stored-account.js'
import { sourceOfVisit, type Visit } from './visit.js'

/** Functions throw a failure that none declares, or end with `failWith`. */
export type LinkUse = {
  readonly readLink: (visit: Visit, body: JsonObject, failWith: Fail<'LinkInvalid'>) => Promise<ShownLink>
  /** The options of a new passkey for the person of a link, as JSON for the browser. */
  readonly linkPasskeyOptions: (
    visit: Visit,
    body: JsonObject,
    failWith: Fail<'LinkInvalid'>,
  ) => Promise<JsonObject>
  /**
   * Sets up the account of the link and begins a session; null if the person has to sign in with a code to begin one.
   * `dashboard` is its address, for mail.
   */
  readonly useLink: (
    visit: Visit,
    body: JsonObject,
    dashboard: string,
    failWith: Fail<'LinkInvalid'>,
  ) => Promise<BegunSession | null>
}

type Services = Pick<Ports, 'clock' | 'passkeys' | 'passwordStrength'> & {
  readonly secrets: Secrets
  readonly accounts: Accounts
  readonly signInSessions: SignInSessions
  readonly signInLinks: SignInLinks
  readonly signInChallenges: SignInChallenges
  readonly administerUsers: AdministerUsers
  readonly endAccess: Pick<EndAccess, 'links'>
  readonly emailConfirmation: Pick<EmailConfirmation, 'send'>
  readonly audit: Pick<Audit, 'recorded'>
  /** Begins the session of a person who has signed in. */
  readonly signedIn: (visit: Visit, person: NamedUser) => Promise<BegunSession>
}

type ChosenWaysIn = {
  readonly password: string | null
  readonly passkey: JsonObject | null
  readonly passkey_title: string | null
}

type SetUp = {
  readonly before: User
  /** What becomes of the user. */
  readonly accepted: (before: User) => User
  /** What becomes of the account; null if nothing. */
  readonly rule: ((before: AccountState) => AccountState) | null
}

const linkInvalid: Problem<'LinkInvalid'> = { _tag: 'LinkInvalid' }

export const createLinkUse = (services: Services): LinkUse => {
  const { accounts, administerUsers, audit, clock, signedIn, signInLinks, signInSessions } = services
  const { endAccess, emailConfirmation } = services

  /** The user of a link; fails if it is gone or disabled. */
  const userOfLink = async (link: SignInLink, failWith: Fail<'LinkInvalid'>): Promise<User> => {
    const user = await accounts.user(link.user)
    if (user === null || user.disabled) return failWith(linkInvalid)
    return user
  }

  /** The link that a request names, and its user. */
  const namedLink = async (visit: Visit, body: JsonObject, failWith: Fail<'LinkInvalid'>) => {
    const { token } = draftOf(visit, linkRequest.attributes, 'put', body, null)
    const link = await signInLinks.find(token, failWith)
    return { link, user: await userOfLink(link, failWith) }
  }

  /** The account after the use of a link: with the ways in that were chosen; null if there are none. */
  const accountAfter = async (
    visit: Visit,
    { id: by, kind }: SignInLink,
    user: Pick<User, 'name' | 'email'>,
    { password, passkey: answer, passkey_title: title }: ChosenWaysIn,
  ): Promise<SetUp['rule']> => {
    if (password === null && answer === null) return null
    const hash = password === null ? null : await hashPassword(services, password, user)
    const sent = answer && { answer, path: 'passkey', title: title ?? firstPasskeyTitle }
    const made = sent && (await verifyNewPasskey(services, visit.base, sent, by))
    const now = clock.now()
    return (before) => {
      const changed = hash === null ? before : { ...before, password: hash, password_changed: now }
      // An administrator vouches for a person who has lost the second factor; the reader of the mail may be another.
      const after = kind === 'reset' ? { ...changed, ...withoutCodes } : changed
      return made === null ? after : withNewPasskey(made)(after)
    }
  }

  /** Writes what a person has chosen, and uses the link up, in one write with one entry of the audit log. */
  const setUp = (
    visit: Visit,
    token: string,
    { user: id, kind }: SignInLink,
    { before, accepted, rule }: SetUp,
    failWith: Fail<'LinkInvalid'>,
  ): Promise<null> => {
    const after = accepted(before)
    const changes = { link: kind, name: { before: before.name, after: after.name } }
    const used = { object: id, title: after.name, changes }
    return audit.recorded(
      sourceOfVisit(visit, { id, user: after }),
      () => auditChangesOf('useLink', 'users', [used]),
      async (recorded) => {
        const change: OwnRule = async (user, together) => {
          together(...(await signInLinks.useUp(token, failWith)))
          if (rule !== null) together(await accounts.changeOf(id, rule))
          return accepted(user)
        }
        await administerUsers.changeOwn(id, change, recorded)
        return null
      },
    )
  }

  return {
    linkPasskeyOptions: async (visit, body, failWith) => {
      const { link, user } = await namedLink(visit, body, failWith)
      return optionsOfNewPasskey(services, visit.base, { id: link.user, user }, link.id)
    },

    readLink: async (visit, body, failWith) => {
      const { link, user } = await namedLink(visit, body, failWith)
      const { name, email, language } = user
      return { kind: link.kind, name, email, language, has_way_in: hasWayIn(await accounts.read(link.user)) }
    },

    useLink: async (visit, body, dashboard, failWith) => {
      const { token, name, email, ...chosen } = draftOf(visit, linkAcceptance.attributes, 'put', body, null)
      const link = await signInLinks.find(token, failWith)
      const before = await userOfLink(link, failWith)
      const account = await accounts.read(link.user)
      throwIf(
        acceptanceProblem(
          link.kind,
          { email, ...chosen },
          { hasOtherWayIn: hasWayIn(account), email: before.email },
        ),
      )
      const accepted = (user: User): User => acceptedUser(link.kind, user, { name, email })
      const after = accepted(before)
      const holder = after.email === null ? null : await accounts.userWithEmail(after.email)
      if (holder !== null && holder.id !== link.user) fail(badParameters([emailTaken]))
      const rule = await accountAfter(visit, link, after, chosen)
      await setUp(visit, token, link, { before, accepted, rule }, failWith)
      // Others may have been made meanwhile.
      await endAccess.links(link.user)
      if (after.email !== before.email)
        await emailConfirmation.send({ id: link.user, user: after }, dashboard)
      if (link.kind === 'reset' || link.kind === 'forgotten') await signInSessions.endAll(link.user, null)
      // The reader of the mail has not shown the second factor.
      if (link.kind === 'forgotten' && account.one_time_secret !== null) return null
      return signedIn(visit, { id: link.user, user: after })
    },
  }
}
