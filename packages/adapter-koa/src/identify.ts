import {
  fault,
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
  type Role,
} from '@publishing-service/domain'
import {
  momentIn,
  roleOn,
  type Caller,
  type Instance,
  type Outcome,
  type Principal,
  type UseCases,
} from '@publishing-service/application'
import { bearerToken, linksFor, prefersStrict, type Endpoint } from '@publishing-service/http-contract'
import type { Clock } from '@publishing-service/ports'
import type { Context } from 'koa'

const unauthorized: Problem = { _tag: 'Unauthorized' }
const forbidden: Problem = { _tag: 'Forbidden' }

/** The instance that a path names; null where it names none. */
export const instanceNumber = (segment: string | undefined): number | null =>
  segment !== undefined && /^[1-9]\d{0,8}$/.test(segment) ? Number(segment) : null

/** Whom the request's token speaks for (decisions §3: 401). */
export const principalOf = (useCases: UseCases, authorization: string | undefined): Outcome<Principal> => {
  if (authorization === undefined || authorization === '') return TE.left(unauthorized)
  const token = bearerToken(authorization)
  return token === null ? TE.left({ _tag: 'InvalidToken' }) : useCases.principals(token)
}

const callerOf = (context: Context, clock: Clock, base: string, role: Role, instance: Instance): Caller => ({
  role,
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
    principalOf(useCases, context.req.headers.authorization),
    TE.chain((principal) => {
      const role = roleOn(principal, number)
      if (role === null || needed === null || !mayActAs(role, needed)) return TE.left(forbidden)
      context.state['user'] = principal.user
      return pipe(
        useCases.instances.find(number),
        TE.map((instance) => callerOf(context, clock, base, role, instance)),
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
    TE.map((instance) => callerOf(context, clock, base, 'public_user', instance)),
    TE.mapLeft((failure) => (failure._tag === 'NotFound' ? unauthorized : failure)),
  )
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
