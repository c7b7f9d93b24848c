/**
 * What the requests of a test do in a service of the same process, such as calls of its store. What the service does in
 * the background at the same time belongs to no request; what an earlier request has started belongs to that request.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** The number of the request that is served, in everything that is done for it. */
const served = new AsyncLocalStorage<number>()
let latest = 0

subscribe('http.server.request.start', () => {
  latest += 1
  served.enterWith(latest)
})

/** Whether this is done for a request. */
export const isServing = (): boolean => served.getStore() !== undefined

export type RequestRecorder<T> = {
  /** Records an item of the request that is served. */
  readonly record: (item: T) => void
  /** The items of the requests that begin while this runs. */
  readonly during: (run: () => Promise<unknown>) => Promise<readonly T[]>
}

export const requestRecorder = <T>(): RequestRecorder<T> => {
  let items: T[] = []
  /** The first of the requests that are recorded. */
  let first = Infinity
  return {
    record: (item) => {
      if ((served.getStore() ?? 0) >= first) items.push(item)
    },
    during: async (run) => {
      items = []
      first = latest + 1
      await run()
      first = Infinity
      return items
    },
  }
}
