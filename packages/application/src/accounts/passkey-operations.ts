/** The passkeys of the caller (docs/behaviour/accounts.md#passkeys). */
import {
  type AccountState,
  deploymentOperations,
  newPasskey,
  passkeyChange,
  passkeyShape,
  withoutWayIn,
  withWayInChange,
} from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftOf } from '../administration/draft-of.js'
import type { Recorded } from '../recording.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import {
  changeWaysIn,
  existingWayIn,
  ofAccount,
  ownId,
  readOwn,
  readOwnRecently,
  requireRecentSignIn,
  shownWayIn,
  type AccountChange,
} from './account-operations.js'
import { optionsOfNewPasskey, verifyNewPasskey, withNewPasskey } from './new-passkey.js'

/** The base of the addresses of the service as the browser knows them. */
type At = { readonly base: string }
type Body = { readonly body: JsonObject }
type OfPasskey = { readonly key: string }

export const listPasskeys: DeploymentOperation<null, readonly JsonObject[]> = {
  ...deploymentOperations.listPasskeys,
  run: async (session) => {
    const { passkeys } = await session.accounts.read(ownId(session))
    return passkeys.map((each) => shownWayIn(session, passkeyShape, each))
  },
}

/** The options of a new passkey, as JSON for the browser. */
export const createPasskeyOptions: DeploymentOperation<At, JsonObject> = {
  ...deploymentOperations.createPasskeyOptions,
  run: async (session, { base }) => {
    const own = await readOwnRecently(session)
    return optionsOfNewPasskey(session, base, own, own.id)
  },
}

type ShownPasskey = AccountChange & { readonly shown: JsonObject }

/** Adds a passkey, and returns it. */
export const addPasskey: DeploymentOperation<At & Body, ShownPasskey> = {
  ...deploymentOperations.addPasskey,
  ...ofAccount,
  run: async (session, { base, body }) => {
    const own = await readOwnRecently(session)
    const { answer, title } = draftOf(session, newPasskey.attributes, 'put', body, null)
    const made = await verifyNewPasskey(session, base, { answer, path: 'answer', title }, own.id)
    const added = { shown: shownWayIn(session, passkeyShape, made) }
    const recordedAdded: Recorded<AccountChange> = (change, write) =>
      session.recorded({ ...change, ...added }, write)
    return {
      ...(await changeWaysIn(session, own, { passkey: title }, withNewPasskey(made), recordedAdded)),
      ...added,
    }
  },
}

/** Gives a passkey another title. */
export const changePasskey: DeploymentOperation<OfPasskey & Body, AccountChange> = {
  ...deploymentOperations.changePasskey,
  ...ofAccount,
  run: async (session, { key, body }) => {
    const own = await readOwn(session)
    const before = existingWayIn(own.account.passkeys, key)
    const { title } = draftOf(session, passkeyChange.attributes, 'patch', body, { title: before.title })
    const changed = { passkey: { before: before.title, after: title } }
    const rule = (state: AccountState) => ({
      ...state,
      passkeys: withWayInChange(state.passkeys, key, { title }),
    })
    return changeWaysIn(session, own, changed, rule, session.recorded)
  },
}

export const removePasskey: DeploymentOperation<OfPasskey, AccountChange> = {
  ...deploymentOperations.removePasskey,
  ...ofAccount,
  run: async (session, { key }) => {
    const own = await readOwn(session)
    const changed = { passkey: { before: existingWayIn(own.account.passkeys, key).title, after: null } }
    requireRecentSignIn(session)
    const rule = (before: AccountState) => ({ ...before, passkeys: withoutWayIn(before.passkeys, key) })
    return changeWaysIn(session, own, changed, rule, session.recorded)
  },
}
