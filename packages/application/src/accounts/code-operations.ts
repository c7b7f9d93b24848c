/** The one-time codes of the caller (docs/behaviour/accounts.md#one-time-codes). */
import {
  codeActivation,
  codesProblem,
  deploymentOperations,
  noSecretProblem,
  recoveryCodeCount,
  recoveryCodeFrom,
  serviceName,
  typedCode,
  withCodes,
  withoutCodes,
  wrongCodeProblem,
} from '@publishing-service/access'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftOf } from '../administration/draft-of.js'
import { fail, throwIf } from '../attempt.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import { changeWaysIn, ofAccount, readOwnRecently, type AccountChange } from './account-operations.js'

type NewSecret = { readonly secret: string; readonly address: string }

/** The name of the challenge that has the secret of a person until the secret is activated. */
const pendingOf = (id: string): string => `the secret of ${id}`

/** A secret for an authenticator. It is not active yet. */
export const createOneTimeSecret: DeploymentOperation<null, NewSecret> = {
  ...deploymentOperations.createOneTimeSecret,
  run: async (session) => {
    const { oneTimeCodes, signInChallenges } = session
    const { id, user, account } = await readOwnRecently(session)
    throwIf(codesProblem(account))
    const secret = oneTimeCodes.newSecret()
    await signInChallenges.open('one-time codes', pendingOf(id), id, { secret })
    return { secret, address: oneTimeCodes.address(secret, serviceName, user.email ?? user.name) }
  },
}

type NewCodes = AccountChange & { readonly codes: readonly string[] }

/** Activates the secret, and returns recovery codes, which are not shown again. */
export const activateOneTimeCodes: DeploymentOperation<{ readonly body: JsonObject }, NewCodes> = {
  ...deploymentOperations.activateOneTimeCodes,
  ...ofAccount,
  run: async (session, { body }) => {
    const own = await readOwnRecently(session)
    const { clock, ids, oneTimeCodes, secrets, signInChallenges } = session
    const { code } = draftOf(session, codeActivation.attributes, 'put', body, null)
    const secret = (await signInChallenges.find('one-time codes', pendingOf(own.id), own.id))?.['secret']
    if (secret === undefined) fail(noSecretProblem)
    const step = oneTimeCodes.stepOf(secret, typedCode(code), clock.now())
    if (step === null) fail(wrongCodeProblem)
    await signInChallenges.close('one-time codes', pendingOf(own.id), own.id)
    const codes = Array.from({ length: recoveryCodeCount }, () => recoveryCodeFrom(ids.secret()))
    const digests = codes.map((each) => secrets.digest(typedCode(each)))
    const change = await changeWaysIn(
      session,
      own,
      { one_time_codes: 'set' },
      (before) => {
        throwIf(codesProblem(before))
        return withCodes(before, { secret, step, digests })
      },
      (changed, write) => session.recorded({ ...changed, codes }, write),
    )
    return { ...change, codes }
  },
}

/** Removes the second factor. */
export const removeOneTimeCodes: DeploymentOperation<null, AccountChange> = {
  ...deploymentOperations.removeOneTimeCodes,
  ...ofAccount,
  run: async (session) =>
    changeWaysIn(
      session,
      await readOwnRecently(session),
      { one_time_codes: 'removed' },
      (before) => ({ ...before, ...withoutCodes }),
      session.recorded,
    ),
}
