/** Runs the operation of an endpoint in a session: authorise, decode, run, encode. */
import type { E, Parameters, Replaced } from '@publishing-service/domain'
import {
  attempt,
  type DeploymentOperation,
  type DeploymentRequest,
  type Download,
  type Failure,
  type Get,
  type Operation,
} from '@publishing-service/application'
import type {
  AdministrationEndpoint,
  BodyKind,
  DataEndpoint,
  Decoder,
  InstanceEndpoint,
  PathValues,
  Representation,
  ResponseContext,
} from '@publishing-service/http-contract'
import { decode } from './decode.js'
import type { EndpointResult, Handler } from './handler.js'
import type { RequestContext } from './request-context.js'
import { identify } from './identify.js'
import { deploymentRequest, instanceRequest, targetOf } from './open.js'
import type { Service } from './service.js'

/** Milliseconds that a body may take before token, role and instance are checked again. */
const slowBody = 1000

/** How an output becomes a response, and the representation that If-Match is about. */
type Answering<Path extends string, Output> = {
  readonly encode: (output: Output, context: ResponseContext<Path>) => EndpointResult
  readonly representation?: Representation<Path> | undefined
}

/**
 * Opens a session for a request, then decodes the input. If the body took long, the token is identified and the session
 * opened again (docs/behaviour/access.md#slow-requests).
 */
const openAndDecode = async <
  Path extends string,
  Kind extends BodyKind,
  Input,
  Request extends DeploymentRequest,
  Session,
>(
  get: Get,
  service: Service,
  exchange: RequestContext,
  {
    decoder,
    path,
    query,
  }: {
    readonly decoder: Decoder<Path, Kind, Input>
    readonly path: E.Either<Failure, PathValues<Path>>
    readonly query: Parameters
  },
  first: Request,
  open: (request: Request) => Promise<E.Either<Failure, Session>>,
): Promise<{ readonly request: Request; readonly session: Session; readonly input: Input }> => {
  const began = service.clock.monotonic()
  const session = get(await open(first))
  const input = get(await decode(service, exchange, query, decoder, path))
  if (service.clock.monotonic() - began <= slowBody) return { request: first, session, input }
  const identity = await identify(service, exchange)
  const request = { ...first, identity }
  return { request, session: get(await open(request)), input }
}

const runOnInstance =
  <Path extends string, Kind extends BodyKind, Input, Output>(
    { decoder }: Pick<DataEndpoint<Path, Kind, Input>, 'decoder'>,
    operation: Operation<Input, Output>,
    { encode, representation }: Answering<Path, Output>,
  ): Handler =>
  (service, exchange, { endpoint, parameters }) =>
    attempt(async (get) => {
      const { sessions } = service.useCases
      const target = targetOf(service, exchange)
      const path = decoder.readPath(parameters)
      const { request, session, input } = await openAndDecode(
        get,
        service,
        exchange,
        { decoder, path, query: target.query },
        get(instanceRequest(exchange, target, path, representation)),
        (each) => sessions.open(operation, each),
      )
      const output = get(await sessions.run(session, request, operation, input))
      const result = encode(output, { path: get(path), links: session.links, target })
      const validity = { dependencies: session.dependencies, isTimed: session.isTimed() }
      return { _tag: 'Result', endpoint, result, validity }
    })

export const onInstance = <Path extends string, Kind extends BodyKind, Input, Output>(
  endpoint: InstanceEndpoint<Path, Kind, Input, Output>,
  operation: Operation<Input, Output>,
): Handler => runOnInstance(endpoint, operation, endpoint)

/** Serves the data of a file, or where the data is that has replaced it. */
export const dataOnInstance = <Path extends string, Kind extends BodyKind, Input>(
  endpoint: DataEndpoint<Path, Kind, Input>,
  operation: Operation<Input, Download | Replaced>,
): Handler =>
  runOnInstance(endpoint, operation, {
    encode: (found, context) =>
      '_tag' in found ? endpoint.replaced(found, context) : { _tag: 'Data', download: found },
  })

export const onDeployment =
  <Path extends string, Kind extends BodyKind, Input, Output>(
    { decoder, encode }: AdministrationEndpoint<Path, Kind, Input, Output>,
    operation: DeploymentOperation<Input, Output>,
  ): Handler =>
  (service, exchange, { endpoint, parameters }) =>
    attempt(async (get) => {
      const { sessions } = service.useCases
      const target = targetOf(service, exchange)
      const path = decoder.readPath(parameters)
      const { request, session, input } = await openAndDecode(
        get,
        service,
        exchange,
        { decoder, path, query: target.query },
        deploymentRequest(exchange, null),
        async (each) => sessions.openOnDeployment(operation.permission, each),
      )
      const output = get(await sessions.runOnDeployment(session, request, operation, input))
      const result = encode(output, { path: get(path), links: session.links, target })
      return { _tag: 'Result', endpoint, result, validity: null }
    })
