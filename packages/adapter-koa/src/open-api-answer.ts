import { asciiJson } from '@publishing-service/http-contract'
import type { KeptAnswer } from './response-cache.js'
import { jsonAnswer } from './send-kept.js'

/**
 * The document of the API as it is sent: made for the first who asks, so that the start doesn’t wait for it, and the
 * same bytes from then on. `baseUrl` is the public address, where one is configured.
 */
export const createOpenApiAnswer = (baseUrl: string | null): (() => Promise<KeptAnswer>) => {
  let making: Promise<KeptAnswer> | null = null
  return () => {
    making ??= import('@publishing-service/http-contract/openapi').then(({ openApiDocument }) =>
      jsonAnswer(asciiJson(openApiDocument(baseUrl ?? '')), 'documentation', {
        'X-Content-Type-Options': 'nosniff',
      }),
    )
    return making
  }
}
