import { resources } from '@publishing-service/domain'
import { imageQuery } from '@publishing-service/domain/images'
import type { PageLink, Parameters } from '@publishing-service/domain/lists'
import { segmentsOf, type Links } from '@publishing-service/domain/engine'

/** The path of each collection below its instance. */
const segments: ReadonlyMap<string, string> = new Map(
  resources.map((resource) => [resource.collection, segmentsOf(resource)]),
)

export const instanceUrl = (base: string, instance: number): string => `${base}/${instance}`

/**
 * Addresses of one instance below a base such as `https://api.example.org` (docs/behaviour/wire.md#links); addresses of
 * the deployment for null.
 */
export const linksFor = (origin: string, instance: number | null): Links => {
  const base = instance === null ? origin : instanceUrl(origin, instance)
  return {
    collection: (collection) => `${base}/${segments.get(collection) ?? collection}`,
    object: (collection, id) => `${base}/${segments.get(collection) ?? collection}/${id}`,
    tagging: (tagId, predicate, objectId) => `${base}/tags/${tagId}/${predicate}/${objectId}`,
    draftTagging: (collection, objectId, predicate, tagId) =>
      `${base}/${segments.get(collection) ?? collection}/${objectId}/draft/tags/${predicate}/${tagId}`,
    slot: (contentId, slotId) => `${base}/content/${contentId}/slots/${slotId}`,
    draftSlot: (contentId, slotId) => `${base}/content/${contentId}/draft/slots/${slotId}`,
    download: (fileId, upload, image) =>
      `${base}/files/${fileId}/download/${upload}${image ? `?${imageQuery(image)}` : ''}`,
    defaultThumbnail: (kind) => `${base}/files/default-thumbnail/${kind}`,
  }
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
    ...(after === null ? {} : { after: JSON.stringify(after) }),
  })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => valuesOf(value).map((each) => `${encode(name)}=${encode(each)}`))
    .join('&')
