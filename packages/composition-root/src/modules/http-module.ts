import { ContainerModule } from 'inversify'
import { createHttpServer } from '@publishing-service/adapter-koa'
import { provide } from '../token.js'
import { tokens } from '../tokens.js'

/** The use cases on the wire. */
export const httpModule = () =>
  new ContainerModule((options) => {
    provide(options)(
      tokens.httpServer,
      [tokens.useCases, tokens.clock, tokens.log, tokens.configuration],
      (useCases, clock, log, configuration) =>
        createHttpServer(useCases, clock, log, {
          baseUrl: configuration.BASE_URL,
          trustProxy: configuration.TRUST_PROXY,
          bareLinks: configuration.BARE_LINKS,
          jsonLimit: configuration.JSON_LIMIT,
          corsOrigins: configuration.CORS_ORIGINS,
          responseCacheBytes: configuration.RESPONSE_CACHE_BYTES,
        }),
    )
  })
