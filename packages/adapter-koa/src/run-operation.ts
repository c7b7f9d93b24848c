/** Serves an endpoint with an operation: opens a session, decodes the input, runs the operation, encodes its output. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { E } from '@publishing-service/domain/fp'
import { responseTags } from '@publishing-service/domain/changes'
import type { Replaced } from '@publishing-service/domain/files'
import {
  unwrap,
  type AnyDeploymentOperation,
  type Download,
  type Failure,
  type Operation,
  type OperationRequest,
  type Precondition,
} from '@publishing-service/application'
import {
  linksFor,
  withoutOwnAddress,
  type AdministrationEndpoint,
  type Bodies,
  type BodyKind,
  type DataEndpoint,
  type Decoder,
  type DeploymentEndpoint,
  type InstanceEndpoint,
  type OperationEndpoint,
  type PathValues,
  type Representation,
  type RequestTarget,
  type ResponseContext,
} from '@publishing-service/http-contract'
import { preconditionOf } from './entity-tag.js'
import { bindOperation } from './bind.js'
import type { EndpointResult } from './handler.js'
import { identify } from './begin.js'
import { readData, readObject, readOptionalObject } from './read-body.js'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'
import { inSpan } from './traced-steps.js'

/** Milliseconds that a body may take before token, role and instance are checked again (docs/behaviour/access.md#slow-requests). */
const slowBody = 1000

type ReadBody<Body> = (service: Service, request: IncomingMessage) => Promise<Body>

const bodyReaders: { readonly [Kind in BodyKind]: ReadBody<Bodies[Kind]> } = {
  none: async () => null,
  object: readObject,
  'optional object': readOptionalObject,
  data: readData,
}

/** How an output becomes a response, and the representation that If-Match is about. */
type Answering<Path extends string, Output> = {
  readonly encode: (output: Output, context: ResponseContext<Path>) => EndpointResult
  readonly representation?: Representation<Path> | undefined
}

const targetOf = ({ options: { bareLinks } }: Service, context: RequestContext): RequestTarget => {
  const { base, koa, path } = context
  const { query } = koa
  const target = { base, path, query, bareLinks }
  // Only an address that is appended to another has a second question mark.
  const isAppended = !context.isStrict && /\?.*(?:\?|%3f)/i.test(koa.url)
  return isAppended ? { ...target, query: withoutOwnAddress(target) } : target
}

/** The precondition of a write, on the representation whose entity tag clients have. */
const statedPrecondition = <Path extends string>(
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  path: E.Either<Failure, PathValues<Path>>,
  context: Omit<ResponseContext<Path>, 'path'>,
  representation: Representation<Path> | undefined,
): Precondition => {
  const stated = preconditionOf(ifMatch, ifNoneMatch)
  if (representation === undefined || E.isLeft(path)) return stated
  const shown = { ...context, path: path.right }
  return (current) => stated(current === null ? null : representation(current, shown))
}

/** Decodes path, query and body. */
const decode = async <Path extends string, Kind extends BodyKind, Input>(
  service: Service,
  { koa: { req }, isStrict }: RequestContext,
  { strictProblem, body, input }: Decoder<Path, Kind, Input>,
  path: E.Either<Failure, PathValues<Path>>,
  { query, base }: RequestTarget,
): Promise<Input> => {
  const values = unwrap(path)
  const problem = isStrict ? strictProblem(query) : null
  if (problem !== null) throw problem
  const { accept } = req.headers
  return input({ path: values, query, accept, base, body: await bodyReaders[body](service, req) })
}

/** Returns whether an operation is run again in place of a response, after a wait. */
type Repeats<Output> = (service: Service, context: RequestContext, output: Output) => Promise<boolean>

const runOperation = <Path extends string, Kind extends BodyKind, Input, Output>(
  bound: (OperationEndpoint | DeploymentEndpoint) & Pick<DataEndpoint<Path, Kind, Input>, 'decoder'>,
  operation: Operation<Input, Output> | AnyDeploymentOperation<Input, Output>,
  { encode, representation }: Answering<Path, Output>,
  repeats: Repeats<Output> | null = null,
) => {
  const { decoder, method } = bound
  return bindOperation(bound, operation, async (service, context, { endpoint, parameters }) => {
    const { sessions } = service.useCases
    const { instance } = context
    const target = targetOf(service, context)
    const path = decoder.readPath(parameters)
    const links = linksFor(context.base, instance)
    const { headers } = context.koa.req
    const isConditional = headers['if-match'] !== undefined || headers['if-none-match'] !== undefined
    const precondition =
      isConditional && method !== 'GET'
        ? statedPrecondition(headers, path, { links, target }, representation)
        : undefined
    const request: OperationRequest = {
      identity: context.identity,
      address: context.address,
      requestId: context.id,
      clientRequestId: context.clientId,
      links,
      strict: context.isStrict,
      precondition,
      instance,
    }
    const began = service.clock.monotonic()
    const open = (opening: OperationRequest) =>
      inSpan(service, 'authorise', { instance }, () => sessions.open(operation, opening))
    let opened = await open(request)
    const openAgain = async (): Promise<void> => {
      opened = await open({ ...request, identity: await identify(service, context) })
    }
    const input = await decode(service, context, decoder, path, target)
    if (service.clock.monotonic() - began > slowBody) await openAgain()
    let output = await opened.run(input)
    while (repeats !== null && (await repeats(service, context, output))) {
      await openAgain()
      output = await opened.run(input)
    }
    const result = encode(output, { path: unwrap(path), links, target })
    const { session } = opened
    if (session === null) return { _tag: 'Result', endpoint, result, validity: null, shared: null }
    const { dependencies, documents, settings } = session
    const shared =
      documents.objectsRead === null
        ? null
        : {
            maxAge: settings.shared_max_age,
            tags: responseTags(documents.instance, documents.objectsRead),
          }
    const validity = method === 'GET' ? { dependencies, isTimed: session.isTimed } : null
    return { _tag: 'Result', endpoint, result, validity, shared }
  })
}

export const onInstance = <Path extends string, Kind extends BodyKind, Input, Output>(
  endpoint: InstanceEndpoint<Path, Kind, Input, Output>,
  operation: Operation<Input, Output>,
) => runOperation(endpoint, operation, endpoint)

/** Milliseconds until a waiting request looks again: changes of other processes are not always notified. */
const pollInterval = 1000

/** Milliseconds between a change and the next look, so that changes which follow are read together. */
const settling = 20

/** Resolves after the next change of this process, or of one that notifies it, or after these milliseconds. */
const nextRecord = ({ onRecord }: Service['useCases'], milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      end()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const end = onRecord(done)
  })

const whileEmpty: Repeats<{ readonly items: readonly unknown[]; readonly wait: number }> = async (
  { state, useCases },
  { began, koa: { req } },
  { items, wait: seconds },
) => {
  const remaining = seconds * 1000 - (performance.now() - began)
  if (items.length > 0 || remaining <= 0 || state.phase === 'draining' || req.socket.destroyed) return false
  await nextRecord(useCases, Math.min(remaining, pollInterval))
  await wait(settling)
  return true
}

/** The same, and waits for items for the seconds that the output says. The token is checked again each time. */
export const waitingOnInstance = <
  Path extends string,
  Kind extends BodyKind,
  Input,
  Output extends { readonly items: readonly unknown[]; readonly wait: number },
>(
  endpoint: InstanceEndpoint<Path, Kind, Input, Output>,
  operation: Operation<Input, Output>,
) => runOperation(endpoint, operation, endpoint, whileEmpty)

/** Serves the data of a file, or where the data is that has replaced it. */
export const dataOnInstance = <Path extends string, Kind extends BodyKind, Input>(
  endpoint: DataEndpoint<Path, Kind, Input>,
  operation: Operation<Input, Download | Replaced>,
) =>
  runOperation(endpoint, operation, {
    encode: (found, context) =>
      '_tag' in found ? endpoint.replaced(found, context) : { _tag: 'Data', download: found },
  })

export const onDeployment = <Path extends string, Kind extends BodyKind, Input, Output>(
  endpoint: AdministrationEndpoint<Path, Kind, Input, Output>,
  operation: AnyDeploymentOperation<Input, Output>,
) => runOperation(endpoint, operation, endpoint)
