import { createClient, dataOf, ServiceError, type Client } from '@publishing-service/client'
import { timedFetch } from './service-clock.js'
import { createStore } from './store.js'

/** Begins a session with a way in, and returns the UUID of its person. */
export type WayIn = (client: Client) => Promise<string>

export type SessionState =
  /** It is not known yet whether the browser has a session. */
  | { readonly phase: 'opening' }
  /** `isOpen`: the service could not be reached to end the session. `provider` is where the person signs out of it too. */
  | { readonly phase: 'signed-out'; readonly isOpen: boolean; readonly provider: string | null }
  | { readonly phase: 'signed-in'; readonly user: string }
  /** The session has ended, or the sign-in is too old for a change: requests wait until the same person signs in again. */
  | { readonly phase: 'waiting'; readonly user: string; readonly reason: 'ended' | 'old' }

/** Another person has signed in than the one whose page is open. */
export class OtherUser extends Error {}

/** What waited for a sign-in is not done. */
export class NotSignedIn extends Error {}

type Waiting = { readonly resolve: () => void; readonly reject: (reason: Error) => void }

const signedOut: SessionState = { phase: 'signed-out', isOpen: false, provider: null }

/** The page is at `/dashboard/` below the service, which may itself be below a path prefix. */
const service = new URL('..', document.baseURI).href.replace(/\/$/, '')

/** The session of the browser, whose token is in a cookie that scripts cannot read. Other tabs have the same one. */
const createSession = () => {
  const store = createStore<SessionState>({ phase: 'opening' })
  let waiting: readonly Waiting[] = []

  /** Waits until the person has signed in again. */
  const signInAgain = (reason: 'ended' | 'old'): Promise<void> => {
    const state = store.get()
    if (state.phase === 'opening' || state.phase === 'signed-out') {
      store.set(signedOut)
      return Promise.reject(new NotSignedIn())
    }
    store.set({ phase: 'waiting', user: state.user, reason })
    return new Promise((resolve, reject) => {
      waiting = [...waiting, { resolve, reject }]
    })
  }

  const client = createClient({ service, fetch: timedFetch, signInAgain: () => signInAgain('ended') })
  /** For requests that nobody has caused: after the end of the session they reject with NotSignedIn, and nobody is asked. */
  const background = createClient({
    service,
    fetch: timedFetch,
    signInAgain: () => Promise.reject(new NotSignedIn()),
  })
  /** For requests of people who are not signed in. */
  const visitor = createClient({ service, retries: 0 })

  const goOn = (user: string): void => {
    const released = waiting
    waiting = []
    store.set({ phase: 'signed-in', user })
    for (const { resolve } of released) resolve()
  }
  const stop = (state: SessionState): void => {
    const released = waiting
    waiting = []
    store.set(state)
    for (const { reject } of released) reject(new NotSignedIn())
  }

  /** Who signs in, for the other tabs: nothing is sent in the name of another person than the one who typed it. */
  const tabs = new BroadcastChannel(`session of ${service}`)
  tabs.addEventListener('message', ({ data: user }: MessageEvent<unknown>) => {
    const state = store.get()
    if (typeof user !== 'string' || state.phase === 'opening') return
    if (state.phase === 'signed-out') store.set({ phase: 'opening' })
    else if (user === state.user) goOn(user)
    else store.set({ phase: 'waiting', user: state.user, reason: 'ended' })
  })

  const signIn = async (wayIn: WayIn): Promise<void> => {
    const user = await wayIn(visitor)
    const state = store.get()
    tabs.postMessage(user)
    if (state.phase === 'waiting' && state.user !== user) {
      store.set({ ...state, reason: 'ended' })
      await visitor.POST('/sign-out')
      throw new OtherUser()
    }
    goOn(user)
  }

  return {
    use: store.use,
    get: store.get,
    client,
    background,
    visitor,
    /** Where a browser signs in with the provider, and returns to a path of the dashboard. */
    providerAddress: (path: string): string => `${service}/sign-in/provider?to=${encodeURIComponent(path)}`,
    /** The person of the session. */
    readMe: async () => {
      const me = dataOf(await client.GET('/me', { cache: 'no-cache' }))
      if (store.get().phase === 'opening') {
        goOn(me.uuid)
        // Another tab may wait for the person to come back from a provider.
        tabs.postMessage(me.uuid)
      }
      return me
    },
    /** Rejects with a ServiceError if the way in is wrong, and with OtherUser if the page is that of another person. */
    signIn,
    /** Signs in any person, also in place of another; nobody if the way in returns null. */
    begin: async (wayIn: (client: Client) => Promise<string | null>): Promise<void> => {
      const user = await wayIn(visitor)
      if (user === null) return
      tabs.postMessage(user)
      stop({ phase: 'signed-in', user })
    },
    /** Sends a change that needs a recent sign-in, and asks for one if it is too old. */
    withRecentSignIn: async <T>(send: () => Promise<T>): Promise<T> => {
      try {
        return await send()
      } catch (error) {
        if (!isServiceError(error) || error.status !== 403) throw error
        await signInAgain('old')
        return send()
      }
    },
    /** Ends the question for a sign-in: what waits for it is not done, and the session goes on. */
    cancel: (): void => {
      const state = store.get()
      if (state.phase === 'waiting') stop({ phase: 'signed-in', user: state.user })
    },
    signOut: async (): Promise<void> => {
      const data = await visitor.POST('/sign-out').then(
        (sent) => sent.data,
        () => undefined,
      )
      stop({ phase: 'signed-out', isOpen: data === undefined, provider: data?.provider_url ?? null })
    },
    /** After all sessions of the person have ended. */
    close: (): void => stop(signedOut),
  }
}

export const session = createSession()

export const isServiceError = (error: unknown): error is ServiceError => error instanceof ServiceError
