import type { Parameters } from '@publishing-service/domain/lists'
import { valuesOf } from './links.js'

/** The target of a request, for the links of its response. */
export type RequestTarget = {
  /** The service's public address for this request. */
  readonly base: string
  readonly path: string
  readonly query: Parameters
  /** Whether `next` and `prev` are only the query string (docs/behaviour/collections.md#links). */
  readonly bareLinks: boolean
}

/**
 * The parameters of a request. A name that begins with the request's own address and a question mark is the name after
 * these: clients append all of `next` to the address of the collection (docs/behaviour/collections.md#appended-links).
 */
export const withoutOwnAddress = ({
  base,
  path,
  query,
}: Pick<RequestTarget, 'base' | 'path' | 'query'>): Parameters => {
  if (!Object.keys(query).some((name) => name.includes('?'))) return query
  const basePath = base.replace(/^\w+:\/\/[^/]*/, '')
  const prefixes = [`${base}${path}?`, `${basePath}${path}?`, `${path}?`]
  const read = new Map<string, string | readonly string[]>()
  for (const [sent, value = []] of Object.entries(query)) {
    const prefix = prefixes.find((each) => sent.startsWith(each)) ?? ''
    const name = sent.slice(prefix.length)
    const before = read.get(name)
    read.set(name, before === undefined ? value : [...valuesOf(before), ...valuesOf(value)])
  }
  return Object.fromEntries(read)
}
