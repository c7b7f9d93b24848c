import {
  fault,
  forbidden,
  badParameters,
  E,
  mayActAs,
  notFound,
  parseUuid,
  pipe,
  resourceOf,
  roleNeeded,
  TE,
  type Fault,
  type Problem,
  type Writer,
} from '@publishing-service/domain'
import {
  clientOf,
  momentIn,
  roleOn,
  type Caller,
  type Failure,
  type Instance,
  type Outcome,
  type Principal,
  type UseCases,
} from '@publishing-service/application'
import { bearerToken, linksFor, prefersStrict, type Endpoint } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import type { Context } from 'koa'
import { markAuthenticated } from './connection-limit.js'

const unauthorized: Problem = { _tag: 'Unauthorized' }

/** The instance that a path names; null where it names none. */
export const instanceNumber = (segment: string | undefined): number | null =>
  segment !== undefined && /^[1-9]\d{0,8}$/.test(segment) ? Number(segment) : null

/** The instance that a request is on; null where it is on none. */
export const instanceOf = ({ path }: Context): number | null => {
  const slash = path.indexOf('/', 1)
  return instanceNumber(slash === -1 ? path.slice(1) : path.slice(1, slash))
}

/** Whom a token speaks for. A valid one marks the connection as authenticated (decisions §3: 401). */
const principalOf = (useCases: UseCases, { req }: Context, authorization: string): Outcome<Principal> => {
  if (authorization === '') return TE.left(unauthorized)
  const token = bearerToken(authorization)
  if (token === null) return TE.left({ _tag: 'InvalidToken' })
  return pipe(
    useCases.principals(token),
    TE.map((principal) => {
      markAuthenticated(req.socket)
      return principal
    }),
  )
}

/** Whom a request's token speaks for, or why it speaks for nobody; null where there is no token, or no need of one. */
export type Identity = E.Either<Failure, Principal> | null

/** Finds whom the request's token speaks for, once: `principalIn` has it from then on. */
export const identifyPrincipal = async (useCases: UseCases, context: Context): Promise<Identity> => {
  const { authorization } = context.req.headers
  const identity =
    authorization === undefined || instanceOf(context) === null
      ? null
      : await principalOf(useCases, context, authorization)()
  context.state['principal'] = identity
  return identity
}

export const principalIn = ({ state }: Context): Identity => state['principal'] as Identity

/** Whether the store couldn't tell whom the token speaks for. */
export const isOutOfReach = (identity: Identity): boolean =>
  identity !== null && E.isLeft(identity) && identity.left._tag === 'PortFailure'

const callerOf = (
  context: Context,
  clock: Clock,
  base: string,
  { role, user }: Writer,
  instance: Instance,
): Caller => ({
  role,
  user,
  client: clientOf(user, context.ip),
  instance,
  ...momentIn(instance, clock.now()),
  links: linksFor(base, instance.number),
  strict: prefersStrict(context.req.headers['prefer'] as string | undefined),
})

/**
 * The caller of a request on an instance, permitted to do what the endpoint does. A token without a role there gets
 * Forbidden whether or not the instance exists (decisions §3).
 */
export const identify = (
  useCases: UseCases,
  clock: Clock,
  context: Context,
  endpoint: Endpoint,
  instanceSegment: string | undefined,
  base: string,
): Outcome<Caller> => {
  const number = instanceNumber(instanceSegment)
  const { permission, openedBy } = endpoint
  if (number === null || permission === null) return TE.left(notFound)
  const needed = roleNeeded(permission.subject, permission.action)
  const byToken: Outcome<Caller> = pipe(
    TE.fromEither(principalIn(context) ?? E.left<Failure, Principal>(unauthorized)),
    TE.chain((principal) => {
      const role = roleOn(principal, number)
      if (role === null || needed === null || !mayActAs(role, needed)) return TE.left(forbidden)
      context.state['user'] = principal.user
      return pipe(
        useCases.instances.find(number),
        TE.map((instance) => callerOf(context, clock, base, { role, user: principal.id }, instance)),
      )
    }),
  )
  if (openedBy === undefined || context.req.headers.authorization !== undefined) return byToken
  // Without a token it is still open where the instance says so; elsewhere it tells nothing of the instance.
  return pipe(
    useCases.instances.find(number),
    TE.filterOrElseW(
      ({ settings }) => settings[openedBy],
      () => unauthorized,
    ),
    TE.map((instance) => callerOf(context, clock, base, { role: 'public_user', user: null }, instance)),
    TE.mapLeft((failure) => (failure._tag === 'NotFound' ? unauthorized : failure)),
  )
}

/**
 * Why a request speaks for nobody, where the endpoints of its path need a token; null where its token is valid or none
 * is needed. Comes before 405, 406 and 410 (decisions §16.22).
 */
export const tokenFailure = async (
  useCases: UseCases,
  context: Context,
  endpointsOfPath: readonly Endpoint[],
): Promise<Failure | null> => {
  const identity = principalIn(context)
  if (endpointsOfPath.some(({ permission }) => permission === null)) return null
  if (identity !== null) return E.isLeft(identity) ? identity.left : null
  const number = instanceOf(context)
  if (number === null) return null
  const opening = endpointsOfPath.flatMap(({ openedBy }) => openedBy ?? [])
  if (opening.length === 0) return unauthorized
  const instance = await useCases.instances.find(number)()
  if (E.isLeft(instance)) return instance.left._tag === 'NotFound' ? unauthorized : instance.left
  return opening.some((setting) => instance.right.settings[setting]) ? null : unauthorized
}

const uuidParameter = (name: string): boolean => name === 'uuid' || name.endsWith('_uuid')

/**
 * The path's parameters with their UUIDs in lower case. A malformed one reads as nothing there; on a write it is told,
 * each of them (decisions §2.5, §2.8).
 */
export const pathParameters = (
  { method, permission }: Endpoint,
  parameters: Readonly<Record<string, string>>,
): E.Either<Problem, Readonly<Record<string, string>>> => {
  const read: Record<string, string> = {}
  const faults: Fault[] = []
  const words = (permission === null ? undefined : resourceOf(permission.subject))?.words ?? {}
  for (const [name, value] of Object.entries(parameters)) {
    const named = name === 'uuid' && Object.hasOwn(words, value) ? words[value]?.id : undefined
    const parsed = named ?? (uuidParameter(name) ? parseUuid(value) : value)
    if (parsed === null)
      faults.push(fault(name, 'the path must hold a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'))
    else read[name] = parsed
  }
  if (faults.length === 0) return E.right(read)
  return E.left(method === 'GET' || method === 'DELETE' ? notFound : badParameters(faults))
}
