/** Requests tokens from a service. */
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

export type Key = { readonly api_key: string; readonly api_secret: string }

/** Status and body of the response to a token request. */
export const requestToken = async (
  url: string,
  key: Key,
): Promise<{ readonly status: number; readonly body: JsonObject }> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...key })
  const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
  const json: unknown = await response.json()
  if (!isJsonObject(json)) throw new Error('The response is no JSON object')
  return { status: response.status, body: json }
}

/** An access token for a key. Throws if there is none. */
export const tokenFor = async (url: string, key: Key): Promise<string> => {
  const { status, body } = await requestToken(url, key)
  if (typeof body['access_token'] !== 'string') throw new Error(`${status} ${JSON.stringify(body)}`)
  return body['access_token']
}

/** The path of the key file that a welcome message names. */
export const keyFileIn = (welcome: string): string => {
  const path = /^ {2}API secret {2}in (.+)$/m.exec(welcome)?.[1]
  if (path === undefined) throw new Error(`No file of a key is named in:\n${welcome}`)
  return path
}

/** The key in the file that a welcome message names. */
export const readKeyFile = async (welcome: string): Promise<Key> => {
  const { API_KEY = '', API_SECRET = '' } = parseEnv(await readFile(keyFileIn(welcome), 'utf8'))
  return { api_key: API_KEY, api_secret: API_SECRET }
}
