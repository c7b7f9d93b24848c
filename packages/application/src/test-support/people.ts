/** People on a stage, who sign in and use their accounts. */
import { userOf, type LinkKind, type User } from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { ProblemTag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { principalWith } from '../access/principals.js'
import type { Visit } from '../accounts/visit.js'
import { attempt, failWithAny } from '../attempt.js'
import { unrecorded } from '../recording.js'
import type { AnyDeploymentOperation } from '../deployment-operation.js'
import type { AnyFailure } from '../failure.js'
import type { Identity } from '../operation-request.js'
import type { UseCases } from '../use-cases.js'
import type { Stage } from './stage.js'

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
export const problemOf = async (steps: () => Promise<unknown>): Promise<AnyFailure | null> => {
  const outcome = await attempt<unknown, ProblemTag>(steps)
  return E.isLeft(outcome) ? outcome.left : null
}

/** Runs steps at once, expects that one of them succeeds, and returns the problems of the others. */
export const allButOne = async (
  steps: readonly (() => Promise<unknown>)[],
): Promise<readonly AnyFailure[]> => {
  const outcomes = await Promise.all(steps.map((each) => problemOf(each)))
  const problems = outcomes.filter((problem) => problem !== null)
  expect(problems).to.have.length(steps.length - 1)
  return problems
}

const runOnDeployment = async <Input, Output>(
  stage: Stage,
  identity: Identity,
  operation: AnyDeploymentOperation<Input, Output>,
  input: Input,
): Promise<Output> => {
  const { run } = await stage.useCases.sessions.open(operation, { ...stage.as('editor'), identity })
  return run(input)
}

/** Runs an operation with the session of a token. */
export const runAs = async <Input, Output>(
  stage: Stage,
  token: string,
  operation: AnyDeploymentOperation<Input, Output>,
  input: Input,
): Promise<Output> => runOnDeployment(stage, await stage.useCases.principals(token)(), operation, input)

/** Runs an operation with a key of a user. */
export const runAsUser = <Input, Output>(
  stage: Stage,
  { id, name, ...rights }: Pick<User, 'name' | 'operator' | 'roles'> & { readonly id: string | null },
  operation: AnyDeploymentOperation<Input, Output>,
  input: Input,
): Promise<Output> =>
  runOnDeployment(stage, E.right(principalWith({ id, user: name, key: 'a key' }, rights)), operation, input)

/** Runs an operation as the command line does. */
export const runAsOperator = <Input, Output>(
  stage: Stage,
  operation: AnyDeploymentOperation<Input, Output>,
  input: Input,
): Promise<Output> => runAsUser(stage, { id: null, name: 'command line', ...operator }, operation, input)

/** Creates a user and returns its id. */
export const createUser = async (stage: Stage, user: Partial<User>): Promise<string> => {
  const { id } = await stage.useCases.administerUsers.create(operator, userOf(user), unrecorded.write)
  return id
}

/** Changes a user without any rule. */
export const change = (stage: Stage, user: string, changed: Partial<User>): Promise<unknown> =>
  stage.useCases.administerUsers.changeOwn(user, (before) => ({ ...before, ...changed }), unrecorded.write)

/** A person who has not set up their account. */
export const createPerson = async (stage: Stage, person: Partial<User>) => {
  const user = await createUser(stage, person)
  const link = async (kind: LinkKind = 'invitation'): Promise<string> =>
    (await stage.useCases.signInLinks.create(user, kind)).token
  const useLink = async (
    token: string,
    chosen: JsonObject = { password },
    useCases: UseCases = stage.useCases,
  ) => {
    const begun = await useCases.signIn.useLink(visit, { token, ...chosen }, dashboard, failWithAny)
    if (begun === null) throw new Error('the link has begun no session')
    return begun
  }
  return {
    user,
    link,
    useLink,
    /** Sets up the account with the password, and returns the token of the session. */
    setUp: async (): Promise<string> => (await useLink(await link())).token,
    signIn: (chosen = password, from: Visit = visit, address = person.email) =>
      stage.useCases.signIn.withPassword(from, { email: address ?? null, password: chosen }, failWithAny),
    as: <Input, Output>(token: string, operation: AnyDeploymentOperation<Input, Output>, input: Input) =>
      runAs(stage, token, operation, input),
  }
}

export type Person = Awaited<ReturnType<typeof createPerson>>

/** Ada, an editor of instance 1 who has not set up her account. */
export const createAda = (stage: Stage): Promise<Person> =>
  createPerson(stage, {
    name: 'Ada',
    email,
    email_confirmed: true,
    roles: [{ instance: 1, roles: ['editor'] }],
  })
