/** Runs the operation of an endpoint in a session: authorise, decode, run, record, encode. */
import type { E, Replaced } from '@publishing-service/domain'
import type { DeploymentOperation, Download, Failure, Operation } from '@publishing-service/application'
import type {
  AdministrationEndpoint,
  BodyKind,
  DataEndpoint,
  InstanceEndpoint,
  Representation,
  ResponseContext,
} from '@publishing-service/http-contract'
import { attempt } from './attempt.js'
import { decode } from './decode.js'
import type { RequestContext } from './request-context.js'
import { identify } from './identify.js'
import { deploymentRequest, instanceRequest, isSlow, targetOf } from './open.js'
import type { EndpointResult, Reply } from './reply.js'
import type { Routed } from './route.js'
import type { Service } from './service.js'

/** Serves a request that is routed to one endpoint. */
export type Handler = (
  service: Service,
  exchange: RequestContext,
  routed: Routed,
) => Promise<E.Either<Failure, Reply>>

/** How an output becomes a response, and the representation that If-Match is about. */
type Answering<Path extends string, Output> = {
  readonly encode: (output: Output, context: ResponseContext<Path>) => EndpointResult
  readonly representation?: Representation<Path> | undefined
}

const runOnInstance =
  <Path extends string, Kind extends BodyKind, Input, Output>(
    { decoder }: Pick<DataEndpoint<Path, Kind, Input>, 'decoder'>,
    operation: Operation<Input, Output>,
    { encode, representation }: Answering<Path, Output>,
  ): Handler =>
  (service, exchange, { endpoint, parameters }) =>
    attempt(async (get) => {
      const { sessions, principals } = service.useCases
      const target = targetOf(service, exchange)
      const path = decoder.readPath(parameters)
      const began = service.clock.monotonic()
      let request = get(instanceRequest(exchange, target, path, representation))
      let session = get(await sessions.open(operation, request))
      const input = get(await decode(service, exchange, target.query, decoder, path))
      if (isSlow(service, began)) {
        request = { ...request, identity: await identify(principals, exchange.context) }
        session = get(await sessions.open(operation, request))
      }
      const output = get(await operation.run(session, input)())
      if (operation.action !== 'read')
        get(await sessions.finish(session, request, operation, operation.changed(input, output)))
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
      const { sessions, principals } = service.useCases
      const target = targetOf(service, exchange)
      const path = decoder.readPath(parameters)
      const began = service.clock.monotonic()
      let request = deploymentRequest(exchange, null)
      let session = get(sessions.openOnDeployment(operation.permission, request))
      const input = get(await decode(service, exchange, target.query, decoder, path))
      if (isSlow(service, began)) {
        request = { ...request, identity: await identify(principals, exchange.context) }
        session = get(sessions.openOnDeployment(operation.permission, request))
      }
      const output = get(await operation.run(session, input)())
      await sessions.finishOnDeployment(request, operation, operation.changed?.(input, output) ?? [])
      const result = encode(output, { path: get(path), links: session.links, target })
      return { _tag: 'Result', endpoint, result, validity: null }
    })
