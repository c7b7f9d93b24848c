/**
 * Who has set the e-mail address of an account (docs/behaviour/accounts.md#addresses). People can type the address of
 * somebody else, so an address that a person has typed leads to no account until it is confirmed.
 */
import { badParameters, fault, type Problem } from '@publishing-service/domain'
import { withoutCodes, type AccountState, type Identity } from './account.js'
import type { User } from './user.js'

/** A user after the person has typed an address: another one is not confirmed. */
export const withTypedEmail = (before: User, email: string | null): User =>
  email === before.email ? before : { ...before, email, email_confirmed: false, email_set_by: null }

/** A user after the person has shown that they receive the mail of the address. */
export const withConfirmedEmail = (before: User): User => ({
  ...before,
  email_confirmed: before.email !== null,
  email_set_by: null,
})

/** A user after the person has used a link that an administrator has made: they have accepted the address. */
export const withAcceptedEmail = (before: User): User => ({ ...before, email_set_by: null })

/** Who sets the address of a user as an administrator. */
export type EmailSetter = {
  /** Null for the command line. */
  readonly id: string | null
  /** Whether they set their own. */
  readonly isOwn: boolean
  readonly operator: boolean
  /** Whether they say themselves if the address is confirmed. */
  readonly isStated: boolean
}

/**
 * A user after an administrator has set the address, or whether it is confirmed; null before its creation. An address that
 * they give somebody else is confirmed unless they say otherwise. Their own address is treated as typed.
 */
export const withSetEmail = (before: User | null, after: User, setter: EmailSetter): User => {
  const isOther = after.email !== (before?.email ?? null)
  const byDefault = isOther ? !setter.isOwn : (before?.email_confirmed ?? false)
  const { id, isOwn } = setter
  return {
    ...after,
    email_confirmed: after.email !== null && (setter.isStated ? after.email_confirmed : byDefault),
    email_set_by: isOther ? (isOwn || after.email === null ? null : id) : (before?.email_set_by ?? null),
  }
}

/** Why an administrator may not say that an address is confirmed: their own, unless they are an operator. Null if they may. */
export const confirmedByOwnerProblem = (
  before: User | null,
  after: User,
  { isOwn, operator }: EmailSetter,
): Problem | null => {
  const isNew = after.email_confirmed && !(before?.email_confirmed === true && before.email === after.email)
  return isNew && isOwn && !operator
    ? badParameters([
        fault('email_confirmed', 'rule', 'is set by another administrator, or by a mail to the address'),
      ])
    : null
}

/** Whether a provider that has verified the address of a user leads to it. */
export const isFoundByEmail = ({ email, email_confirmed: isConfirmed }: User): boolean =>
  email !== null && isConfirmed

/** The account that a provider has found by the address of the person: with no other way in, because others may have them. */
export const matchedAccount = (account: AccountState, identity: Identity): AccountState => ({
  ...account,
  password: null,
  password_changed: null,
  ...withoutCodes,
  passkeys: [],
  identities: [identity],
})
