import { resourceOf, segmentsOf, type Links, type Parameters } from '@publishing-service/domain'
import type { RequestTarget } from './response.js'

const segments = (collection: string): string => {
  const resource = resourceOf(collection)
  return resource === undefined ? collection : segmentsOf(resource)
}

export const instanceUrl = (base: string, instance: number): string => `${base}/${instance}`

/**
 * Addresses of one instance below a base such as `https://api.example.org` (docs/behaviour/wire.md#links); addresses of
 * the deployment for null.
 */
export const linksFor = (origin: string, instance: number | null): Links => {
  const base = instance === null ? origin : instanceUrl(origin, instance)
  return {
    collection: (collection) => `${base}/${segments(collection)}`,
    object: (collection, id) => `${base}/${segments(collection)}/${id}`,
    tagging: (tagId, predicate, objectId) => `${base}/tags/${tagId}/${predicate}/${objectId}`,
    slot: (contentId, slotId) => `${base}/content/${contentId}/slots/${slotId}`,
    download: (fileId, upload, box) =>
      `${base}/files/${fileId}/download/${upload}${box === undefined ? '' : `?w=${box}&h=${box}`}`,
    defaultThumbnail: (kind) => `${base}/files/default-thumbnail/${kind}`,
  }
}

// Deployed clients expect these characters unescaped (docs/behaviour/collections.md#links).
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2C', ',')

const valuesOf = (value: string | readonly string[] = []): readonly string[] =>
  typeof value === 'string' ? [value] : value

/** The query of another page: the current parameters sorted by name, with the number of the page. */
export const pageQuery = (parameters: Parameters, page: number): string =>
  Object.entries({ ...parameters, page: String(page) })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => valuesOf(value).map((each) => `${encode(name)}=${encode(each)}`))
    .join('&')

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
