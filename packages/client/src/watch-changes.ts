import { createFinalURL } from 'openapi-fetch'
import { pause } from './abort.js'
import type { components, paths } from './api.js'
import { serializers } from './read-rows.js'
import { readJson, ServiceError } from './service-error.js'

type Query = NonNullable<paths['/{iid}/changes']['get']['parameters']['query']>

/** A change of the feed (docs/behaviour/changes.md#items). */
export type Change = components['schemas']['Change']

export type WatchOptions = {
  readonly iid: number
  /** The `cursor` after which to read on. Without it, only changes from now on are read. */
  readonly since?: string
  /** The collections whose changes are read, and `settings`. By default, all. */
  readonly types?: NonNullable<Query['types']>
  /** Ends the watch when it is aborted. */
  readonly signal?: AbortSignal
}

export type ChangeBatch = {
  /** What has changed, in the order of the commits; nothing if only the cursor is new. */
  readonly changes: readonly Change[]
  /** Where the next batch starts: store it after the batch is processed, and pass it as `since`. */
  readonly cursor: string
  /**
   * Whether changes before it are unknown: at the start without `since`, and if the feed does not have the changes since then
   * any more. Read everything that you need, and then go on.
   */
  readonly isStart: boolean
}

/** Seconds that a request waits for a change: less than proxies wait for a response. */
const wait = 25

/** The longest pause after failures, in milliseconds. */
const longestPause = 60_000

/** Whether a later request can succeed: `fetch` rejects with a TypeError if there is no response. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ServiceError ? error.status >= 500 || error.status === 429 : error instanceof TypeError

/**
 * Reads the feed of changes until the signal is aborted. While the service is not available, it tries again, after pauses
 * that double. Throws any other failure, such as a `ServiceError` if the key may not read the instance.
 */
export async function* watchChanges(
  get: (url: string) => Promise<Response>,
  baseUrl: string,
  { iid, since, types, signal = new AbortController().signal }: WatchOptions,
  firstPause = 1000,
): AsyncGenerator<ChangeBatch, void, undefined> {
  const read = async (query: Query): Promise<components['schemas']['Changes']> => {
    const params = { path: { iid }, query: { ...query, ...(types && { types }) } }
    return readJson(await get(createFinalURL('/{iid}/changes', { baseUrl, params, ...serializers })))
  }
  let cursor = since

  const next = async (): Promise<ChangeBatch> => {
    if (cursor !== undefined)
      try {
        const { items: changes, next: place } = await read({ since: cursor, wait })
        return { changes, cursor: place, isStart: false }
      } catch (error) {
        if (!(error instanceof ServiceError && error.code === 'cursor_expired')) throw error
      }
    return { changes: [], cursor: (await read({ since: 'now' })).next, isStart: true }
  }
  /** The next batch; null if there is none at present. */
  const nextUnlessDown = (): Promise<ChangeBatch | null> =>
    next().catch((error: unknown) => {
      if (signal.aborted || isTemporary(error)) return null
      throw error
    })

  for (let failures = 0; !signal.aborted;) {
    const batch = await nextUnlessDown()
    if (batch !== null && batch.cursor !== cursor) {
      failures = 0
      cursor = batch.cursor
      yield batch
    } else {
      // The next request waits, also if the service has not.
      await pause(Math.min(firstPause * 2 ** failures, longestPause), signal).catch(() => undefined)
      failures += batch === null ? 1 : 0
    }
  }
}
