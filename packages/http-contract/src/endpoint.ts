import {
  badParameters,
  fault,
  notFound,
  resourceOf,
  type Fails,
  type Fault,
  type Problem,
  type Resource,
} from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { parseUuid, type MemberList, type Schema, type Shape } from '@publishing-service/domain/declare'
import type { Replaced, Upload } from '@publishing-service/domain/files'
import {
  hasRelations,
  unknownParameters,
  type Parameters,
  type Queryable,
} from '@publishing-service/domain/lists'
import type {
  AddressPolicy,
  DeploymentOperationAccess,
  DeploymentPermission,
  VisitorOperationAccess,
} from '@publishing-service/access'
import type { Action, Opening, OperationAccess, Subject } from '@publishing-service/domain/roles'
import type { Caching } from './caching.js'
import type { PageName } from './documentation-pages.js'
import type { Payload } from './payload.js'
import type { PathValues, Response, ResponseContext, Result } from './response.js'

export const methods = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** A query parameter that does not follow from a collection. */
export type Parameter = { readonly name: string; readonly description: string; readonly schema: Schema }

/** One method on one path, with its documentation. */
type Described = Fails & {
  /** A unique name in camel case. Generated clients use it as the name of a function, so it must not change. */
  readonly id: string
  readonly method: Method
  /** Names in braces are parameters, which a text may follow, as in `{feed}.atom`; `{uuid}` and those that end in `_uuid` are UUIDs. */
  readonly path: string
  readonly summary: string
  /** Details: effects, rules, what is ignored. */
  readonly description: string
  readonly caching: Caching
  readonly parameters: readonly Parameter[]
  readonly body: BodyKind | 'form'
  /** The content of the request body, if there is one. */
  readonly requestPayload?: Payload
  /** The content of a successful response. */
  readonly responsePayload: Payload
  /** The page to which clients are redirected if they prefer HTML to JSON. */
  readonly htmlAt?: PageName
  /** To where it can redirect, for documents. */
  readonly redirects?: string
  /** Its requests do not count against rate limits. */
  readonly unlimited?: true
  /** What its requests without a token count for, if they have a separate limit. */
  readonly ratePolicy?: AddressPolicy
  /** Whether it is refused for pages of another origin, because its response changes cookies of the browser. */
  readonly ownPagesOnly?: true
  /** Whether clients should use another endpoint. */
  readonly deprecated?: true
  /** What it does on the deployment, if it is an endpoint of an operation there. */
  readonly deployment?: DeploymentPermission
  /** The resource, if this is one of its six standard operations. */
  readonly resource?: Resource
  /** The list of members that it reads or writes. */
  readonly members?: MemberList
}

/** What a request body is read as, by kind. */
export type Bodies = {
  readonly none: null
  readonly object: JsonObject
  /** A missing body is an object without attributes. */
  readonly 'optional object': JsonObject
  readonly data: Upload
}

export type BodyKind = keyof Bodies

/** The decoded request from which the input of an operation is built. */
export type Decoded<Path extends string, Body> = {
  readonly path: PathValues<Path>
  readonly query: Parameters
  /** The header Accept. */
  readonly accept: string | undefined
  /** The base of the addresses of the service as the client knows them. */
  readonly base: string
  readonly body: Body
}

/** How the request of an endpoint becomes the input of its operation. */
export type Decoder<Path extends string, Kind extends BodyKind, Input> = {
  readonly body: Kind
  readonly readPath: (values: Readonly<Record<string, string>>) => E.Either<Problem, PathValues<Path>>
  /** What strict handling does not accept of a query; null if it is nothing (docs/behaviour/collections.md#unknown-parameters). */
  readonly strictProblem: (query: Parameters) => Problem | null
  readonly input: (request: Decoded<Path, Bodies[Kind]>) => Input
}

/**
 * The representation whose entity tag clients have, if it differs from the one that the operation passes to its
 * precondition.
 */
export type Representation<Path extends string> = (
  current: JsonObject,
  context: ResponseContext<Path>,
) => JsonObject

/** An endpoint of an operation on an instance. */
export type OperationEndpoint = Described & {
  readonly kind: 'operation'
  /** The operation's name. */
  readonly operation: string
  readonly permission: { readonly subject: Subject; readonly action: Action }
} & Pick<OperationAccess, 'openedBy' | 'isSameForRoles'>

/** An endpoint of an operation on the deployment. */
export type DeploymentEndpoint = Described & {
  readonly kind: 'deployment'
  /** The operation's name. */
  readonly operation: string
  readonly permission: null
  readonly deployment: DeploymentPermission
}

/** An endpoint with what decodes its requests. */
type Decoding<Path extends string, Kind extends BodyKind, Input> = {
  readonly decoder: Decoder<Path, Kind, Input>
}

/** An endpoint with what encodes its responses. */
type Encoding<Path extends string, Output> = {
  readonly encode: Response<Output, Path>['encode']
}

/** An endpoint of an operation on an instance that takes this input and returns this output. */
export type InstanceEndpoint<Path extends string, Kind extends BodyKind, Input, Output> = OperationEndpoint &
  Decoding<Path, Kind, Input> &
  Encoding<Path, Output> & { readonly representation?: Representation<Path> }

/** An endpoint that returns the data of a file, or redirects to the data that has replaced it. */
export type DataEndpoint<Path extends string, Kind extends BodyKind, Input> = OperationEndpoint &
  Decoding<Path, Kind, Input> & {
    readonly replaced: (replaced: Replaced, context: ResponseContext<Path>) => Result
  }

/** An endpoint of an operation on the deployment that takes this input and returns this output. */
export type AdministrationEndpoint<
  Path extends string,
  Kind extends BodyKind,
  Input,
  Output,
> = DeploymentEndpoint & Decoding<Path, Kind, Input> & Encoding<Path, Output>

/** An endpoint of the service itself, such as one with which people sign in. It needs no instance and no token. */
export type ServiceEndpoint = Described & {
  readonly kind: 'service'
  /** The operation's name. */
  readonly operation: string
  readonly permission: null
}

/** An endpoint that returns an HTML page. */
export type PageEndpoint = Described & {
  readonly kind: 'page'
  readonly operation: 'readPage'
  readonly permission: null
  readonly page: PageName
}

/**
 * One method on one path, as a value. Routing, authorization, reading of the body and documents are all derived from it.
 */
export type Endpoint = OperationEndpoint | DeploymentEndpoint | ServiceEndpoint | PageEndpoint

/** What every definition of an endpoint says, and what has a default. */
type Definition<Path extends string, Kind extends BodyKind, Input> = Pick<
  Described,
  'id' | 'method' | 'summary' | 'description' | 'requestPayload' | 'ratePolicy' | 'redirects' | 'deprecated'
> &
  Partial<Pick<Described, 'caching' | 'parameters' | 'resource' | 'members'>> & {
    readonly path: Path
    readonly body: Kind
    readonly input: (request: Decoded<NoInfer<Path>, Bodies[NoInfer<Kind>]>) => Input
  }

/**
 * Reads the values of path parameters. A malformed UUID is not found on a read or deletion, and a fault on a write
 * (docs/behaviour/writing.md#all-faults, docs/behaviour/writing.md#uuids).
 */
const createPathReader = <Path extends string>(path: Path, method: Method, subject: Subject | null) => {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    isUuid: name === 'uuid' || name.endsWith('_uuid'),
  }))
  const words = subject === null ? {} : (resourceOf(subject)?.given?.words ?? {})
  const isComplete = (values: Readonly<Record<string, string>>): values is PathValues<Path> =>
    Object.keys(values).length === parameters.length

  return (sent: Readonly<Record<string, string>>): E.Either<Problem, PathValues<Path>> => {
    const faults: Fault[] = []
    const values: Record<string, string> = {}
    for (const { name, isUuid } of parameters) {
      const value = sent[name]
      if (value === undefined) continue
      const named = name === 'uuid' && Object.hasOwn(words, value) ? words[value]?.id : undefined
      const parsed = named ?? (isUuid ? parseUuid(value) : value)
      if (parsed === null)
        faults.push(
          fault(name, 'format', 'must be a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11 in the path'),
        )
      else values[name] = parsed
    }
    if (faults.length > 0)
      return E.left(method === 'GET' || method === 'DELETE' ? notFound : badParameters(faults))
    if (!isComplete(values)) throw new Error(`${path} was routed without all its parameters`)
    return E.right(values)
  }
}

/** Finds unknown parameters. Those of rows are found when the query is decoded, with its other faults. */
const createStrictCheck = (
  endpoint: Pick<Endpoint, 'responsePayload'> & Partial<Pick<Endpoint, 'parameters'>>,
) => {
  const { parameters = [] } = endpoint
  const names = new Set(parameters.map(({ name }) => name))
  if (includingOf(endpoint) !== undefined) names.add('include')
  const isDecodedLater = queryableOf(endpoint) !== undefined
  return (query: Parameters): Problem | null => {
    const faults = isDecodedLater ? [] : unknownParameters(query, names)
    return faults.length === 0 ? null : badParameters(faults)
  }
}

const describe = <const Path extends string, Kind extends BodyKind, Input>(
  { input, ...described }: Definition<Path, Kind, Input>,
  payload: Payload,
  subject: Subject | null,
) => {
  const { path, method, body } = described
  const whole = { caching: 'none', parameters: [], ...described, responsePayload: payload } as const
  const decoder: Decoder<Path, Kind, Input> = {
    body,
    readPath: createPathReader(path, method, subject),
    strictProblem: createStrictCheck(whole),
    input,
  }
  return { ...whole, decoder }
}

const instanceScope = ({ name, subject, action, openedBy, isSameForRoles, fails = {} }: OperationAccess) =>
  ({
    kind: 'operation',
    operation: name,
    permission: { subject, action },
    openedBy,
    isSameForRoles,
    fails,
  }) as const

/** Declares an endpoint of an operation on an instance. */
export const instanceEndpoint = <const Path extends string, Kind extends BodyKind, Input, Output>({
  operation,
  response,
  representation,
  ...definition
}: Definition<Path, Kind, Input> & {
  readonly operation: OperationAccess
  readonly response: Response<Output, NoInfer<Path>>
  readonly representation?: Representation<NoInfer<Path>>
}): InstanceEndpoint<Path, Kind, Input, Output> => ({
  ...describe<Path, Kind, Input>(definition, response.payload, operation.subject),
  ...instanceScope(operation),
  encode: response.encode,
  ...(representation === undefined ? {} : { representation }),
})

/** Declares an endpoint that returns the data of a file. */
export const dataEndpoint = <const Path extends string, Kind extends BodyKind, Input>({
  operation,
  replaced,
  ...definition
}: Definition<Path, Kind, Input> & { readonly operation: OperationAccess } & Pick<
    DataEndpoint<NoInfer<Path>, Kind, Input>,
    'replaced'
  >): DataEndpoint<Path, Kind, Input> => ({
  replaced,
  ...describe<Path, Kind, Input>(definition, { _tag: 'Data' }, operation.subject),
  ...instanceScope(operation),
})

/** Declares an endpoint of an operation on the deployment. */
export const deploymentEndpoint = <const Path extends string, Kind extends BodyKind, Input, Output>({
  operation: { name, permission, fails = {} },
  response,
  ...definition
}: Definition<Path, Kind, Input> & {
  readonly operation: DeploymentOperationAccess
  readonly response: Response<Output, NoInfer<Path>>
}): AdministrationEndpoint<Path, Kind, Input, Output> => ({
  ...describe<Path, Kind, Input>(definition, response.payload, null),
  kind: 'deployment',
  operation: name,
  permission: null,
  deployment: permission,
  fails,
  encode: response.encode,
})

/** Declares an endpoint of the service itself. */
export const serviceEndpoint = <A extends VisitorOperationAccess>({
  operation,
  ...described
}: Omit<Described, 'body' | 'caching' | 'parameters' | 'fails'> &
  Partial<Pick<Described, 'body' | 'caching' | 'parameters'>> & {
    readonly operation: A
  }): ServiceEndpoint & { readonly access: A } => ({
  body: 'none',
  caching: 'none',
  parameters: [],
  ...described,
  kind: 'service',
  operation: operation.name,
  permission: null,
  fails: operation.fails ?? {},
  access: operation,
})

/** Whether requests need a token, unless a setting permits them without one. */
export const needsToken = ({
  permission,
  deployment,
}: Pick<Endpoint, 'permission' | 'deployment'>): boolean => permission !== null || deployment !== undefined

/** The settings each of which permits requests without a token. */
export const openingsOf = (endpoint: Endpoint): readonly Opening[] =>
  endpoint.kind === 'operation' ? endpoint.openedBy : []

/** What its rows are queried by, if its response has rows: fields, order and filters (docs/behaviour/collections.md). */
export const queryableOf = ({ responsePayload }: Pick<Endpoint, 'responsePayload'>): Queryable | undefined =>
  responsePayload._tag === 'Rows' ? responsePayload.of : undefined

/** What `include` refers to, if it is a parameter: the objects of the response (docs/behaviour/collections.md#include). */
export const includingOf = ({
  responsePayload,
}: Pick<Endpoint, 'responsePayload'>): Pick<Shape, 'attributes'> | undefined => {
  if (responsePayload._tag === 'Rows')
    return hasRelations(responsePayload.of) ? responsePayload.of : undefined
  if (responsePayload._tag === 'Items') return responsePayload.includes ? responsePayload.of.shape : undefined
  return responsePayload._tag === 'Object' && responsePayload.of.includes
    ? responsePayload.of.shape
    : undefined
}
