import { readJson } from './service-error.js'
import { withRetries } from './with-retries.js'

export type Revocation = {
  /** The address of the service, without a slash at its end. */
  readonly service: string
  /** The access token. */
  readonly token: string
  readonly retries?: number
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Ends a token before its time. It is sent even if the page that sends it is closed meanwhile. Throws a `ServiceError` on
 * an error response.
 */
export const revokeToken = async ({
  service,
  token,
  retries = 3,
  fetch = globalThis.fetch,
}: Revocation): Promise<void> => {
  const body = new URLSearchParams({ token })
  const attempt = () => fetch(`${service}/oauth/revoke`, { method: 'POST', body, keepalive: true })
  await readJson(
    await withRetries(attempt, { retries, repeatable: true, signal: new AbortController().signal }),
  )
}
