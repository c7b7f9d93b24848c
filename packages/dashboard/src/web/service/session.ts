import {
  createClient,
  dataOf,
  revokeToken,
  ServiceError,
  type Client,
  type Token,
} from '@publishing-service/client'
import { createStore } from './store.js'

export type SignIn = { readonly key: string; readonly secret: string }

export type SessionState =
  | { readonly phase: 'signed-out' }
  | { readonly phase: 'signed-in'; readonly token: Token; readonly key: string }
  /** The token has ended; requests wait until the same user signs in again. */
  | { readonly phase: 'expired'; readonly token: Token; readonly key: string }

/** The key belongs to another user than the one who is signed in. */
export class OtherUser extends Error {}

type Waiting = { readonly resolve: (token: Token) => void; readonly reject: (reason: Error) => void }

/**
 * The signed-in user. The token is in memory only: it ends with the page, and the secret is not retained. A request
 * whose token has ended waits for `signIn`.
 */
export const createSession = (service: string) => {
  const store = createStore<SessionState>({ phase: 'signed-out' })
  /** The token of the sign-in that the client has not used yet. */
  let fresh: Token | null = null
  let waiting: readonly Waiting[] = []

  const requestToken = (): Promise<Token> => {
    if (fresh !== null) {
      const token = fresh
      fresh = null
      return Promise.resolve(token)
    }
    const state = store.get()
    if (state.phase === 'signed-out') return Promise.reject(new Error('signed out'))
    store.set({ ...state, phase: 'expired' })
    return new Promise((resolve, reject) => {
      waiting = [...waiting, { resolve, reject }]
    })
  }

  /** Nobody waits for it: a token that it does not reach ends by itself. */
  const revoke = ({ access_token: token }: Token): void => {
    revokeToken({ service, token }).catch(() => null)
  }

  const open = (): Client => createClient({ service, requestToken })
  let client = open()

  return {
    use: store.use,
    client: (): Client => client,
    /** Rejects with a ServiceError if key or secret are wrong, and with OtherUser if the key is not one of `user`. */
    signIn: async ({ key, secret }: SignIn, user?: string): Promise<void> => {
      const opened = createClient({ service, key, secret, retries: 0 })
      const token = await opened.token()
      if (user !== undefined && dataOf(await opened.GET('/me')).uuid !== user) {
        revoke(token)
        throw new OtherUser()
      }
      if (waiting.length === 0) fresh = token
      for (const { resolve } of waiting) resolve(token)
      waiting = []
      store.set({ phase: 'signed-in', token, key })
    },
    /** Ends the token at the service as well (docs/behaviour/access.md#revoke-a-token). */
    signOut: (): void => {
      const state = store.get()
      if (state.phase !== 'signed-out') revoke(state.token)
      for (const { reject } of waiting) reject(new Error('signed out'))
      waiting = []
      fresh = null
      client = open()
      store.set({ phase: 'signed-out' })
    },
  }
}

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError
