/** Seconds that an access token is valid for (docs/behaviour/access.md#token-lifetime). */
export const tokenSeconds = 86_400

/**
 * Whether a token with this expiry is valid, both in milliseconds of the wall clock. Processes share tokens, so their
 * lifetime follows the wall clock. A token whose issue appears to be more than one lifetime ahead was issued before the
 * clock stepped back by more than that, and is rejected: a step never extends a token by more than one lifetime.
 */
export const isTokenValid = (expires: number, now: number): boolean =>
  now < expires && expires - now <= 2 * tokenSeconds * 1000
