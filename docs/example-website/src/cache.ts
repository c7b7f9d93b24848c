/** What was made for visitors, until it is too old or the publication has changed. */

/** More pages than visitors read in the meantime; each has some 30 KB. */
const mostEntries = 1000

export type Cache<T> = {
  /** What was made under a key, or `make` now. Requests at the same time wait for one result. */
  readonly get: (key: string, make: () => Promise<T>) => Promise<T>
  readonly clear: () => void
}

export const createCache = <T>(maxAge: number): Cache<T> => {
  const entries = new Map<string, { readonly value: Promise<T>; readonly until: number }>()
  return {
    get: (key, make) => {
      const entry = entries.get(key)
      if (entry !== undefined && Date.now() < entry.until) return entry.value
      const value = make()
      entries.delete(key)
      entries.set(key, { value, until: Date.now() + maxAge })
      const [oldest] = entries.keys()
      if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest)
      // What could not be made is made again by the next request.
      value.catch(() => entries.get(key)?.value === value && entries.delete(key))
      return value
    },
    clear: () => entries.clear(),
  }
}
