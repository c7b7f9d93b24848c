import { unlessAborted } from './abort.js'
import type { components } from './api.js'

export type Token = components['schemas']['Token']

/** What a request is authorized with, for a number of seconds. */
type Expiring = Pick<Token, 'expires_in'>

export type TokenSource<T extends Expiring = Token> = {
  /** The current token; requests one if there is none or if it is about to expire. */
  readonly get: (signal: AbortSignal) => Promise<T>
  /** Removes a token that the service has rejected. */
  readonly drop: (token: T) => void
  /** Removes the current token and returns it; null if there is none. */
  readonly take: () => T | null
}

/** A token is replaced this long before it expires, in milliseconds. */
const margin = 60_000

/** Requests a token when it is needed, once for concurrent requests, and reuses it until shortly before it expires. */
export const tokenSource = <T extends Expiring = Token>(
  request: () => Promise<T>,
  now: () => number = Date.now,
): TokenSource<T> => {
  let pending: Promise<T> | null = null
  let current: { readonly token: T; readonly until: number } | null = null

  const exchange = async (): Promise<T> => {
    try {
      const start = now()
      const token = await request()
      current = { token, until: start + token.expires_in * 1000 - margin }
      return token
    } finally {
      pending = null
    }
  }
  return {
    get: async (signal) => {
      if (current !== null && now() < current.until) return current.token
      pending ??= exchange()
      return unlessAborted(signal, pending)
    },
    drop: (token) => {
      if (current?.token === token) current = null
    },
    take: () => {
      const token = current?.token ?? null
      current = null
      return token
    },
  }
}
