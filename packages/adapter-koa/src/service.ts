import type { Context } from 'koa'
import type { ReadRate, UseCases } from '@publishing-service/application'
import type { Clock, Log } from '@publishing-service/ports'
import type { Documentation } from './documentation.js'
import type { HttpOptions } from './http-options.js'
import type { ResponseCache } from './response-cache.js'
import type { SendReady } from './send-ready.js'
import type { UnsentBodies } from './unsent-bodies.js'

/** What every request is served with. */
export type Service = {
  readonly useCases: UseCases
  /** Counts requests; null without rate limits. */
  readonly readRate: ReadRate | null
  readonly clock: Clock
  readonly log: Log
  readonly options: HttpOptions
  readonly cache: ResponseCache
  readonly documentation: Documentation
  readonly unsent: UnsentBodies
  readonly sendReady: SendReady
  /** Sets the headers for browsers of other origins, and returns whether the request only asks for these. */
  readonly isPreflight: (context: Context) => Promise<boolean>
  /** Returns whether the service is shutting down. */
  readonly isDraining: () => boolean
}
