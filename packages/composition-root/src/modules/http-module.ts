import { providing } from '../token.js'
import { tokens } from '../tokens.js'

/** The use cases on the wire. What serves it is loaded when it is asked for, so the admin command does without. */
export const httpModule = () =>
  providing(
    tokens.httpServer,
    [tokens.useCases, tokens.rateLimits, tokens.clock, tokens.log, tokens.configuration, tokens.deployment],
    async (useCases, { readRate }, clock, log, configuration, { uploadLimits, streamingHosts }) => {
      const { createHttpServer } = await import('@publishing-service/adapter-koa')
      return createHttpServer(useCases, readRate, clock, log, {
        baseUrl: configuration.BASE_URL,
        trustProxy: configuration.TRUST_PROXY,
        bareLinks: configuration.BARE_LINKS,
        jsonLimit: configuration.JSON_LIMIT,
        uploadLimits,
        streamingHosts,
        corsOrigins: configuration.CORS_ORIGINS,
        jsonSeconds: configuration.JSON_SECONDS,
        connectionsPerAddress: configuration.CONNECTIONS_PER_ADDRESS,
        responseCacheBytes: configuration.RESPONSE_CACHE_BYTES,
      })
    },
  )
