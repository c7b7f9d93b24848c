import { rateLimit, rateLimitPolicy, type RateReading } from '@publishing-service/http-contract'
import type { Context } from 'koa'

/** The headers of this exchange, whatever its answer is: names and values alternate. */
export const exchangeHeaders = ({ state }: Context): readonly string[] => {
  const rate = state['rate'] as RateReading | null | undefined
  const id = String(state['requestId'])
  return rate === null || rate === undefined
    ? ['X-Request-Id', id]
    : ['X-Request-Id', id, 'RateLimit-Policy', rateLimitPolicy(rate), 'RateLimit', rateLimit(rate)]
}

/**
 * Sets them on the response. Answers from memory bring them in their own list instead: Node writes headers that come in
 * one list much faster.
 */
export const setExchangeHeaders = (context: Context): void => {
  if (context.res.headersSent) return
  const headers = exchangeHeaders(context)
  for (let index = 0; index < headers.length; index += 2)
    context.res.setHeader(String(headers[index]), String(headers[index + 1]))
}
