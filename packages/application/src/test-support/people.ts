/** A person on a stage, who signs in and uses its account. */
import { userOf } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Visit } from '../accounts/visit.js'
import { attempt } from '../attempt.js'
import { unrecorded } from '../audit/recording.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import type { Failure } from '../failure.js'
import type { UseCases } from '../use-cases.js'
import { right, type Stage } from './stage.js'

export const base = 'https://cms.example.org'
export const dashboard = `${base}/dashboard`
export const password = 'correct horse battery staple'
export const email = 'ada@example.org'
export const operator = { operator: true, roles: [] }

export const visitFrom = (
  address: string,
  session: string | null = null,
  browserToken: string | null = null,
): Visit => ({
  address,
  requestId: 'a request',
  agent: 'a browser',
  session,
  browserToken,
  strict: false,
  base,
  onSignIn: () => undefined,
})

export const visit = visitFrom('192.0.2.1')

/** The problem of steps; null if they succeed. */
export const problemOf = async (steps: () => Promise<unknown>): Promise<Failure | null> => {
  const outcome = await attempt(steps)
  return E.isLeft(outcome) ? outcome.left : null
}

/** Runs an operation with the session of a token. */
export const runAs = async <Input, Output>(
  stage: Stage,
  token: string,
  operation: DeploymentOperation<Input, Output>,
  input: Input,
): Promise<Output> => {
  const { sessions, principals } = stage.useCases
  const request = { ...stage.as('editor'), identity: await principals(token)() }
  const session = sessions.openOnDeployment(operation.permission, request)
  return sessions.runOnDeployment(session, request, operation, input)
}

/** Ada, an editor of instance 1 who has not set up her account. */
export const createAda = async (stage: Stage) => {
  const ada = userOf({
    name: 'Ada',
    email,
    email_confirmed: true,
    roles: [{ instance: 1, roles: ['editor'] }],
  })
  const user = await right(stage.useCases.administerUsers.create(operator, ada, unrecorded.write))
  const link = async (): Promise<string> =>
    (await stage.useCases.signInLinks.create(user, 'invitation')).token
  const useLink = (token: string, chosen: JsonObject = { password }, useCases: UseCases = stage.useCases) =>
    useCases.signIn.useLink(visit, { token, ...chosen }, dashboard)
  return {
    user,
    link,
    useLink,
    /** Sets up the account with the password, and returns the token of the session. */
    setUp: async (): Promise<string> => (await useLink(await link())).token,
    signIn: (chosen = password, from: Visit = visit, address = email) =>
      stage.useCases.signIn.withPassword(from, { email: address, password: chosen }),
    as: <Input, Output>(token: string, operation: DeploymentOperation<Input, Output>, input: Input) =>
      runAs(stage, token, operation, input),
  }
}
