import type { Context } from 'koa'
import type { ReadRate, UseCases } from '@publishing-service/application'
import type { Clock, Log, Metrics, RequestScopes, Traces } from '@publishing-service/ports'
import type { CachingHeadersTable } from './caching-headers.js'
import type { Compression } from './compression.js'
import type { Documentation } from './documentation.js'
import type { HttpOptions } from './http-options.js'
import type { ResponseCache } from './ready-response.js'
import type { UnsentBodies } from './waiting.js'

/** What changes while the service runs. */
export type ServiceState = {
  /**
   * How far the service is shutting down: `leaving` serves as before, but reports that it is not ready, so that no more requests
   * are sent to it; `draining` finishes what runs (docs/behaviour/wire.md#shutting-down).
   */
  phase: 'serving' | 'leaving' | 'draining'
}

/** How the service tells the time, and what it says of itself. */
export type Watch = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Null if no log says which request a call was made for. */
  readonly requestScopes: RequestScopes | null
  /** Null if nobody collects traces. */
  readonly traces: Traces | null
}

/** What every request is served with. */
export type Service = Watch & {
  readonly useCases: UseCases
  /** Counts requests; null without rate limits. */
  readonly readRate: ReadRate | null
  /** Whether requests are logged. */
  readonly logsRequests: boolean
  readonly options: HttpOptions
  readonly cache: ResponseCache
  readonly cachingHeaders: CachingHeadersTable
  readonly compression: Compression
  readonly documentation: Documentation
  readonly unsent: UnsentBodies
  /**
   * Sets the headers for browsers of other origins, and returns whether the request only asks for these; null if no
   * other origin may call.
   */
  readonly isPreflight: ((koa: Context) => Promise<boolean>) | null
  readonly state: Readonly<ServiceState>
}
