/** Rate limit headers (draft-ietf-httpapi-ratelimit-headers-10). */
import { rateWindow, type RatePolicy } from '@publishing-service/domain'

/** A client's use of its limit. */
export type RateReading = {
  readonly policy: RatePolicy
  readonly limit: number
  readonly remaining: number
  readonly seconds: number
}

/** The value of RateLimit-Policy. */
export const rateLimitPolicy = ({ policy, limit }: RateReading): string =>
  `"${policy}";q=${limit};w=${rateWindow}`

/** The value of RateLimit. */
export const rateLimit = ({ policy, remaining, seconds }: RateReading): string =>
  `"${policy}";r=${remaining};t=${seconds}`
