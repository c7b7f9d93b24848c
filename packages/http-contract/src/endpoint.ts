import {
  badParameters,
  E,
  fault,
  hasRelations,
  notFound,
  parseUuid,
  resourceOf,
  TE,
  type Action,
  type DeploymentPermission,
  type Fault,
  type JsonObject,
  type MemberList,
  type Parameters,
  type Problem,
  type Queryable,
  type Resource,
  type Schema,
  type Shape,
  type Subject,
} from '@publishing-service/domain'
import type {
  Execution,
  DeploymentOperation,
  DeploymentRequest,
  Execute,
  ExecuteOnDeployment,
  Operation,
  OperationRequest,
  Outcome,
  Upload,
} from '@publishing-service/application'
import type { Caching } from './caching.js'
import type { PageName } from './documentation-pages.js'
import type { Payload } from './payload.js'
import { withoutOwnAddress, type RequestTarget } from './request-target.js'
import type { PathValues, Response, ResponseContext, Result } from './response.js'

export const methods = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** A query parameter that does not follow from a collection. */
export type Parameter = { readonly name: string; readonly description: string; readonly schema: Schema }

/** One method on one path, with its documentation. */
type Described = {
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
  readonly body: 'none' | 'object' | 'optional object' | 'data' | 'form'
  /** The content of the request body, if there is one. */
  readonly requestPayload?: Payload
  /** The content of a successful response. */
  readonly responsePayload: Payload
  /** Problems in addition to those that follow from the rest, such as a missing token if there is a permission. */
  readonly problems?: readonly Problem['_tag'][]
  /** The page to which clients are redirected if they prefer HTML to JSON. */
  readonly htmlAt?: PageName
  /** To where it can redirect, for documents. */
  readonly redirects?: string
  /** Its requests do not count against rate limits. */
  readonly unlimited?: true
  /** Whether clients should use another endpoint. */
  readonly deprecated?: true
  /** What it does on the deployment, if it is an endpoint of an operation there. */
  readonly deployment?: DeploymentPermission
  /** The setting that permits requests without a token. */
  readonly openedBy?: NonNullable<Operation<never, unknown>['openedBy']>
  /** The resource, if this is one of its six standard operations. */
  readonly resource?: Resource
  /** The list of members that it reads or writes. */
  readonly members?: MemberList
}

/** A routed request on an instance, or on the deployment. */
export type EndpointRequest<Request = OperationRequest> = {
  readonly operation: Request
  readonly target: RequestTarget
  /** The values of the path's parameters. */
  readonly parameters: Readonly<Record<string, string>>
  /** Reads the body as a JSON object; an optional one may be missing. */
  readonly readObject: (isOptional: boolean) => Outcome<JsonObject>
  /** Opens the body as data. */
  readonly openData: Outcome<Upload>
}

/** A kind of request body, and how it is read. */
type BodyReader<Body> = {
  readonly kind: 'none' | 'object' | 'optional object' | 'data'
  readonly read: (request: Pick<EndpointRequest, 'readObject' | 'openData'>) => Outcome<Body>
}

export const noBody: BodyReader<null> = { kind: 'none', read: () => TE.right(null) }
export const jsonObject: BodyReader<JsonObject> = {
  kind: 'object',
  read: ({ readObject }) => readObject(false),
}
export const optionalJsonObject: BodyReader<JsonObject> = {
  kind: 'optional object',
  read: ({ readObject }) => readObject(true),
}
export const fileData: BodyReader<Upload> = { kind: 'data', read: ({ openData }) => openData }

export type EndpointResult = Omit<Execution<unknown>, 'output'> & { readonly result: Result }

/** An endpoint that executes an operation of the application on an instance. */
export type OperationEndpoint = Described & {
  readonly kind: 'operation'
  /** The operation's name. */
  readonly operation: string
  readonly permission: { readonly subject: Subject; readonly action: Action }
  readonly serve: (request: EndpointRequest, execute: Execute) => Outcome<EndpointResult>
}

/** An endpoint that executes an operation of the application on the deployment. */
export type DeploymentEndpoint = Described & {
  readonly kind: 'deployment'
  /** The operation's name. */
  readonly operation: string
  readonly permission: null
  readonly deployment: DeploymentPermission
  readonly serve: (
    request: EndpointRequest<DeploymentRequest>,
    execute: ExecuteOnDeployment,
  ) => Outcome<Result>
}

/** An endpoint of the service itself, which needs no instance and no token. */
export type ServiceEndpoint = Described & {
  readonly kind: 'service'
  readonly operation:
    'exchangeToken' | 'revokeToken' | 'readService' | 'readLiveness' | 'readReadiness' | 'readOpenApi'
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

/** The decoded request from which the input of an operation is built. */
type Decoded<Path extends string, Body> = {
  readonly path: PathValues<Path>
  readonly query: Parameters
  readonly body: Body
}

type Definition<Path extends string, Body, Input, Output> = Pick<
  OperationEndpoint,
  | 'id'
  | 'method'
  | 'summary'
  | 'description'
  | 'requestPayload'
  | 'problems'
  | 'redirects'
  | 'deprecated'
  | 'resource'
  | 'members'
> &
  Partial<Pick<OperationEndpoint, 'caching' | 'parameters'>> & {
    readonly path: Path
    readonly operation: Operation<Input, Output>
    readonly body: BodyReader<Body>
    readonly input: (request: Decoded<NoInfer<Path>, NoInfer<Body>>) => NoInfer<Input>
    readonly response: Response<NoInfer<Output>, NoInfer<Path>>
    /**
     * The representation whose entity tag clients have, if it differs from the one that the operation passes to its
     * precondition.
     */
    readonly representation?: (current: JsonObject, context: ResponseContext<Path>) => JsonObject
  }

const isUuidParameter = (name: string): boolean => name === 'uuid' || name.endsWith('_uuid')

/**
 * Reads the values of path parameters. A malformed UUID is not found on a read or deletion, and a fault on a write
 * (docs/behaviour/writing.md#all-faults, docs/behaviour/writing.md#uuids).
 */
const createPathReader = <Path extends string>(path: Path, method: Method, subject: Subject | null) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const words = subject === null ? {} : (resourceOf(subject)?.words ?? {})
  const isComplete = (values: Readonly<Record<string, string>>): values is PathValues<Path> =>
    names.every((name) => Object.hasOwn(values, name))

  return (parameters: Readonly<Record<string, string>>): E.Either<Problem, PathValues<Path>> => {
    const faults: Fault[] = []
    const values: Record<string, string> = {}
    for (const [name, value] of Object.entries(parameters)) {
      const named = name === 'uuid' && Object.hasOwn(words, value) ? words[value]?.id : undefined
      const parsed = named ?? (isUuidParameter(name) ? parseUuid(value) : value)
      if (parsed === null)
        faults.push(fault(name, 'must be a UUID such as 9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11 in the path'))
      else values[name] = parsed
    }
    if (faults.length > 0)
      return E.left(method === 'GET' || method === 'DELETE' ? notFound : badParameters(faults))
    if (!isComplete(values)) throw new Error(`${path} was routed without all its parameters`)
    return E.right(values)
  }
}

/** The target of a request, with the parameters as they are read. */
const targetOf = ({
  target,
  operation: { strict },
}: EndpointRequest<Pick<OperationRequest, 'strict'>>): RequestTarget =>
  strict ? target : { ...target, query: withoutOwnAddress(target) }

/**
 * Reads a query. Unknown parameters are faults with strict handling (docs/behaviour/collections.md#unknown-parameters).
 * Those of rows are found when the query is decoded, with its other faults.
 */
const createQueryReader = (
  endpoint: Pick<Endpoint, 'responsePayload'> & Partial<Pick<Endpoint, 'parameters'>>,
) => {
  const { parameters = [] } = endpoint
  const names = new Set(parameters.map(({ name }) => name))
  if (includingOf(endpoint) !== undefined) names.add('include')
  const isDecodedLater = queryableOf(endpoint) !== undefined
  return (query: Parameters, strict: boolean): E.Either<Problem, Parameters> => {
    if (!strict || isDecodedLater) return E.right(query)
    const unknown = Object.keys(query).filter((name) => !names.has(name))
    return unknown.length === 0
      ? E.right(query)
      : E.left(badParameters(unknown.map((name) => fault(name, 'is not a parameter of this address'))))
  }
}

/** The endpoint of an operation. */
export const operationEndpoint = <const Path extends string, Body, Input, Output>(
  definition: Definition<Path, Body, Input, Output>,
): OperationEndpoint => {
  const { operation, body, input, response, representation, ...described } = definition
  const { name, subject, action, openedBy } = operation
  const readPath = createPathReader(described.path, described.method, subject)
  const readQuery = createQueryReader({ ...described, responsePayload: response.payload })

  const serve: OperationEndpoint['serve'] = (request, execute) => async () => {
    const target = targetOf(request)
    const { precondition, links } = request.operation
    const path = readPath(request.parameters)
    const decoded: Outcome<Input> = async () => {
      if (E.isLeft(path)) return path
      const query = readQuery(target.query, request.operation.strict)
      if (E.isLeft(query)) return query
      const sent = await body.read(request)()
      return E.isLeft(sent)
        ? sent
        : E.right(input({ path: path.right, query: query.right, body: sent.right }))
    }
    const appliesAsIs = precondition === undefined || representation === undefined || E.isLeft(path)
    const operationRequest = appliesAsIs
      ? request.operation
      : {
          ...request.operation,
          precondition: (current: JsonObject | null) =>
            precondition(
              current === null ? null : representation(current, { path: path.right, links, target }),
            ),
        }
    const executed = await execute(operation, operationRequest, decoded)()
    if (E.isLeft(executed)) return executed
    if (E.isLeft(path)) return path
    const { output, ...validity } = executed.right
    return E.right({ result: response.encode(output, { path: path.right, links, target }), ...validity })
  }

  return {
    caching: 'none',
    parameters: [],
    ...described,
    kind: 'operation',
    body: body.kind,
    responsePayload: response.payload,
    operation: name,
    permission: { subject, action },
    ...(openedBy === undefined ? {} : { openedBy }),
    serve,
  }
}

type DeploymentDefinition<Path extends string, Body, Input, Output> = Pick<
  DeploymentEndpoint,
  'id' | 'method' | 'summary' | 'description' | 'requestPayload' | 'problems'
> &
  Partial<Pick<DeploymentEndpoint, 'parameters'>> & {
    readonly path: Path
    readonly operation: DeploymentOperation<Input, Output>
    readonly body: BodyReader<Body>
    readonly input: (request: Decoded<NoInfer<Path>, NoInfer<Body>>) => NoInfer<Input>
    readonly response: Response<NoInfer<Output>, NoInfer<Path>>
  }

/** The endpoint of an operation on the deployment. */
export const deploymentEndpoint = <const Path extends string, Body, Input, Output>(
  definition: DeploymentDefinition<Path, Body, Input, Output>,
): DeploymentEndpoint => {
  const { operation, body, input, response, ...described } = definition
  const readPath = createPathReader(described.path, described.method, null)
  const readQuery = createQueryReader({ ...described, responsePayload: response.payload })
  return {
    caching: 'none',
    parameters: [],
    ...described,
    kind: 'deployment',
    body: body.kind,
    responsePayload: response.payload,
    operation: operation.name,
    permission: null,
    deployment: operation.permission,
    serve: (request, execute) => async () => {
      const target = targetOf(request)
      const path = readPath(request.parameters)
      const decoded: Outcome<Input> = async () => {
        if (E.isLeft(path)) return path
        const query = readQuery(target.query, request.operation.strict)
        if (E.isLeft(query)) return query
        const sent = await body.read(request)()
        return E.isLeft(sent)
          ? sent
          : E.right(input({ path: path.right, query: query.right, body: sent.right }))
      }
      const executed = await execute(operation, request.operation, decoded)()
      if (E.isLeft(executed)) return executed
      if (E.isLeft(path)) return path
      const { links } = request.operation
      return E.right(response.encode(executed.right, { path: path.right, links, target }))
    },
  }
}

/** Whether requests need a token, unless a setting permits them without one. */
export const needsToken = ({
  permission,
  deployment,
}: Pick<Endpoint, 'permission' | 'deployment'>): boolean => permission !== null || deployment !== undefined

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
