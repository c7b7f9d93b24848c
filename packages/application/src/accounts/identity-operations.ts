/** The identities of the caller at providers (docs/behaviour/accounts.md#provider). */
import {
  type AccountState,
  deploymentOperations,
  identityShape,
  withoutWayIn,
} from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DeploymentOperation } from '../deployment-operation.js'
import {
  changeWaysIn,
  existingWayIn,
  ofAccount,
  ownId,
  readOwn,
  requireRecentSignIn,
  shownWayIn,
  type AccountChange,
} from './account-operations.js'

export const listIdentities: DeploymentOperation<null, readonly JsonObject[]> = {
  ...deploymentOperations.listIdentities,
  run: async (session) => {
    const { identities } = await session.accounts.read(ownId(session))
    return identities.map((each) => shownWayIn(session, identityShape, each))
  },
}

/** The person is unknown to the provider's sign-in from then on. */
export const removeIdentity: DeploymentOperation<{ readonly key: string }, AccountChange> = {
  ...deploymentOperations.removeIdentity,
  ...ofAccount,
  run: async (session, { key }) => {
    const own = await readOwn(session)
    const changed = { provider: { before: existingWayIn(own.account.identities, key).issuer, after: null } }
    requireRecentSignIn(session)
    const rule = (before: AccountState) => ({ ...before, identities: withoutWayIn(before.identities, key) })
    return changeWaysIn(session, own, changed, rule, session.recorded)
  },
}
