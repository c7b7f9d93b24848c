import { placeText, type PageLink, type Parameters } from '@publishing-service/domain/lists'

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

// Deployed clients expect these characters unescaped (docs/behaviour/collections.md#links).
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')

/** The values of a parameter. */
export const valuesOf = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value

/** The query of another page: the current parameters sorted by name, with the number and the start of the page. */
export const pageQuery = (
  { after: _current, ...parameters }: Parameters,
  { page, after }: PageLink,
): string =>
  Object.entries({
    ...parameters,
    page: String(page),
    ...(after === null ? {} : { after: placeText(page, after) }),
  })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => valuesOf(value).map((each) => `${encode(name)}=${encode(each)}`))
    .join('&')
