/** What serves the requests of an endpoint. */
import type { E } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import type { Endpoint } from '@publishing-service/http-contract'
import type { Reply } from './reply.js'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

/** Serves a request that is routed to one endpoint. */
export type Handler = (
  service: Service,
  exchange: RequestContext,
  routed: Routed,
) => Promise<E.Either<Failure, Reply>>

/** An endpoint with its handler, and with what each of its requests asks of it. */
export type ServedEndpoint = Endpoint & {
  readonly handle: Handler
  readonly needsToken: boolean
  /** Whether its response is sent regardless of the header Accept. */
  readonly isAnyType: boolean
}

/** The endpoint of a request, with the values of its path’s parameters. */
export type Routed = {
  readonly _tag: 'Endpoint'
  readonly endpoint: ServedEndpoint
  readonly parameters: Readonly<Record<string, string>>
}
