/** Decodes a request with the decoder of its endpoint. */
import type { IncomingMessage } from 'node:http'
import { E, type Parameters } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import type { Bodies, BodyKind, Decoder, PathValues } from '@publishing-service/http-contract'
import { requestBody } from './expect-continue.js'
import type { RequestContext } from './request-context.js'
import { partialProblem, readObject } from './read-body.js'
import type { Service } from './service.js'

/** The bytes of a body, requested from the client when the first are read. */
async function* dataOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  requestBody(request)
  // Where the body is not read to its end, the connection must stay open for the response.
  yield* request.iterator({ destroyOnReturn: false })
}

type ReadBody<Body> = (service: Service, request: IncomingMessage) => Promise<E.Either<Failure, Body>>

const readJson =
  (isOptional: boolean): ReadBody<Bodies['object']> =>
  ({ options: { jsonLimit, jsonSeconds }, clock }, request) =>
    readObject(request, { bytes: jsonLimit, seconds: jsonSeconds }, isOptional, clock)()

const bodyReaders: { readonly [Kind in BodyKind]: ReadBody<Bodies[Kind]> } = {
  none: async () => E.right(null),
  object: readJson(false),
  'optional object': readJson(true),
  data: async (_service, request) => {
    const problem = partialProblem(request)
    if (problem !== null) return E.left(problem)
    const length = request.headers['content-length']
    return E.right({
      contentType: request.headers['content-type'],
      length: length === undefined ? undefined : Number(length),
      body: dataOf(request),
    })
  },
}

/** The input of an operation. A body that is JSON is read to its end, data is read by the operation. */
export const decode = async <Path extends string, Kind extends BodyKind, Input>(
  service: Service,
  exchange: RequestContext,
  sent: Parameters,
  { readQuery, body, input }: Decoder<Path, Kind, Input>,
  path: E.Either<Failure, PathValues<Path>>,
): Promise<E.Either<Failure, Input>> => {
  const { req } = exchange.context
  if (E.isLeft(path)) return path
  const query = readQuery(sent, exchange.isStrict)
  if (E.isLeft(query)) return query
  const read = await bodyReaders[body](service, req)
  return E.isLeft(read) ? read : E.right(input({ path: path.right, query: query.right, body: read.right }))
}
