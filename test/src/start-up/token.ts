/** Asks a service for a token, as a client does. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain'

export type Key = { readonly api_key: string; readonly api_secret: string }

/** The status and the body of the answer to a key. */
export const askToken = async (
  url: string,
  key: Key,
): Promise<{ readonly status: number; readonly body: JsonObject }> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...key })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const answer: unknown = await response.json()
  if (!isJsonObject(answer)) throw new Error('The answer is no JSON object')
  return { status: response.status, body: answer }
}

/** An access token for a key; throws where there is none. */
export const tokenFor = async (url: string, key: Key): Promise<string> => {
  const { status, body } = await askToken(url, key)
  if (typeof body['access_token'] !== 'string') throw new Error(`${status} ${JSON.stringify(body)}`)
  return body['access_token']
}

/** The key that a welcome shows. */
export const shownKey = (welcome: string): Key => ({
  api_key: /^ {2}API key {5}(\S+)$/m.exec(welcome)?.[1] ?? '',
  api_secret: /^ {2}API secret {2}(\S+)$/m.exec(welcome)?.[1] ?? '',
})
