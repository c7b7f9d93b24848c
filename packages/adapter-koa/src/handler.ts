/** What serves the requests of an endpoint, and what it replies. */
import type { Dependencies, Download } from '@publishing-service/application'
import type { Endpoint, Result } from '@publishing-service/http-contract'
import type { ReadyResponse } from './ready-response.js'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

/** Serves a request that is routed to one endpoint. Throws a Failure, which ends the request. */
export type Handler = (service: Service, context: RequestContext, routed: Routed) => Promise<Reply>

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

/** What an endpoint returns, before it is sent. */
export type EndpointResult = Result | { readonly _tag: 'Data'; readonly download: Download }

/** What an endpoint has returned. */
export type EndpointReply = {
  readonly _tag: 'Result'
  readonly endpoint: ServedEndpoint
  readonly result: EndpointResult
  /** What the result depends on; null if it is never cached. */
  readonly validity: { readonly dependencies: Dependencies; readonly isTimed: boolean } | null
  /** How shared caches keep it; null if it has a token. */
  readonly shared: SharedUse | null
}

/** How shared caches keep a response to a request without a token. */
export type SharedUse = {
  readonly maxAge: number
  /** By which they purge it. */
  readonly tags: readonly string[]
}

/** How a request that has not failed is answered. */
export type Reply =
  | EndpointReply
  /** A cached response, or a file. */
  | { readonly _tag: 'Ready'; readonly response: ReadyResponse }
  | {
      readonly _tag: 'Redirect'
      readonly location: string
      readonly control: string
      readonly cookies?: readonly string[]
    }
  /** OPTIONS of a path with these methods. */
  | { readonly _tag: 'Allowed'; readonly methods: readonly string[] }
  /** OPTIONS of a browser that asks for another origin; its headers are set. */
  | { readonly _tag: 'Preflight' }
