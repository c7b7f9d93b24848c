import type { Client } from '@publishing-service/client'

/** Images that are loaded at the same time. */
const concurrent = 6
/** Images whose data is retained. */
const retained = 300

type Entry = { readonly url: string }

/** Runs tasks, a limited number at a time, in their order. */
const createQueue = (limit: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <A>(task: () => Promise<A>): Promise<A> => {
    if (running >= limit) await new Promise<void>((start) => waiting.push(start))
    else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/**
 * The data of images as addresses that an `img` can show: the service returns files only to requests with a token. The
 * least recently used images are dropped.
 */
export type ImageCache = {
  /** The address of the image of a download address, in this width at most; null if it is not an address of a file. */
  readonly get: (download: string, width: number | null) => Promise<Entry> | null
}

export const createImageCache = (client: Client): ImageCache => {
  const entries = new Map<string, Promise<Entry>>()
  const enqueue = createQueue(concurrent)

  const load = async (iid: number, uuid: string, upload: number, width: number | null): Promise<Entry> => {
    const params = { path: { iid, uuid, upload }, query: width === null ? {} : { w: width } }
    const { data, response } = await client.GET('/{iid}/files/{uuid}/download/{upload}', {
      params,
      parseAs: 'blob',
    })
    if (!response.ok || data === undefined) throw new Error(`the image was not loaded: ${response.status}`)
    return { url: URL.createObjectURL(data) }
  }

  const dropOldest = (): void => {
    for (const [key, entry] of entries) {
      if (entries.size <= retained) return
      entries.delete(key)
      void entry.then(
        ({ url }) => URL.revokeObjectURL(url),
        () => undefined,
      )
    }
  }

  return {
    get: (download, width) => {
      const [, iid, uuid, upload] = /\/(\d+)\/files\/([^/]+)\/download\/(\d+)/.exec(download) ?? []
      if (iid === undefined || uuid === undefined || upload === undefined) return null
      const key = `${iid} ${uuid} ${upload} ${width}`
      const found = entries.get(key)
      if (found !== undefined) {
        entries.delete(key)
        entries.set(key, found)
        return found
      }
      const entry = enqueue(() => load(Number(iid), uuid, Number(upload), width))
      entries.set(key, entry)
      entry.catch(() => entries.delete(key))
      dropOldest()
      return entry
    },
  }
}
