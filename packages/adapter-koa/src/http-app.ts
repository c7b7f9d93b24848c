import Koa from 'koa'
import type { ReadRate, UseCases } from '@publishing-service/application'
import type { Clock, Log } from '@publishing-service/ports'
import { createCompression } from './compression.js'
import { crossOrigin } from './cross-origin.js'
import { createDocumentation } from './documentation.js'
import type { HttpOptions } from './http-options.js'
import { fail } from './reply.js'
import { createResponseCache } from './response-cache.js'
import { createSendReady } from './send-ready.js'
import { serve } from './serve.js'
import type { Service } from './service.js'
import { limitUnsentBodies } from './unsent-bodies.js'
import { webFileRoutes, type WebFileState } from './web-files.js'

/** The Koa application made from the contract's endpoints. `isDraining` returns whether the service is shutting down. */
export const createHttpApp = (
  useCases: UseCases,
  readRate: ReadRate | null,
  clock: Clock,
  log: Log,
  options: HttpOptions,
  isDraining: () => boolean,
): Koa<WebFileState> => {
  const documentation = createDocumentation(options)
  const cache = createResponseCache(options.responseCacheBytes, clock)
  const service: Service = {
    useCases,
    readRate,
    clock,
    log,
    options,
    cache,
    documentation,
    unsent: limitUnsentBodies(options.unsentBytes, log),
    sendReady: createSendReady(createCompression(), {
      onCompressed: ({ cacheLookup }, response) => {
        if (cacheLookup !== null) cache.resize(cacheLookup, response)
      },
      onRefused: (exchange, problem) => fail(service, exchange, problem),
    }),
    isPreflight: crossOrigin(options.corsOrigins),
    isDraining,
  }
  const app = new Koa<WebFileState>()
  // Koa would print that clients went away; what fails is logged by `serve`.
  app.silent = true
  app.use((context, next) =>
    serve(service, context, async () => {
      await next()
      return context.state.webFile ?? null
    }),
  )
  app.use(webFileRoutes(documentation, options).routes())
  return app
}
