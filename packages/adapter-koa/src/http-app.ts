import Koa from 'koa'
import type { ReadRate, UseCases } from '@publishing-service/application'
import { cachingHeadersOf } from './caching-headers.js'
import { createCompression } from './compression.js'
import { crossOrigin } from './cross-origin.js'
import { createDocumentation } from './documentation.js'
import type { HttpOptions } from './http-options.js'
import { createResponseCache } from './ready-response.js'
import { serve } from './serve.js'
import type { Service, ServiceState, Watch } from './service.js'
import { limitUnsentBodies } from './waiting.js'
import { webFileRoutes, type WebFileState } from './web-files.js'

/** The Koa application made from the contract's endpoints. */
export const createHttpApp = (
  useCases: UseCases,
  readRate: ReadRate | null,
  watch: Watch,
  options: HttpOptions,
  state: Readonly<ServiceState>,
): Koa<WebFileState> => {
  const { clock, log } = watch
  const documentation = createDocumentation(options)
  const service: Service = {
    useCases,
    readRate,
    ...watch,
    logsRequests: log.enabled('info'),
    options,
    cache: createResponseCache(options.responseCacheBytes, clock),
    cachingHeaders: cachingHeadersOf(options),
    compression: createCompression(),
    documentation,
    unsent: limitUnsentBodies(options.unsentBytes, log),
    isPreflight: crossOrigin(options.corsOrigins),
    state,
  }
  const app = new Koa<WebFileState>()
  // Koa would print that clients went away; what fails is logged by `serve`.
  app.silent = true
  app.use(serve(service))
  app.use(webFileRoutes(documentation, options).routes())
  return app
}
