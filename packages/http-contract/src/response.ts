/**
 * Successful responses: each payload with the function that builds it from the output of an operation, and the addresses
 * that responses contain.
 */
import { content, file, resources, tag } from '@publishing-service/domain'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Schema, Shape } from '@publishing-service/domain/declare'
import { slot } from '@publishing-service/domain/content'
import type { Replaced, ThumbnailKind } from '@publishing-service/domain/files'
import type { Listing, Queryable } from '@publishing-service/domain/lists'
import { imageQuery } from '@publishing-service/domain/images'
import { segmentsOf, type Links } from '@publishing-service/domain/engine'
import type { Caching } from './caching.js'
import type { NamedShape, Payload } from './payload.js'
import { pageQuery, type RequestTarget } from './request-target.js'

/** The path of each collection below its instance. */
const segments: ReadonlyMap<string, string> = new Map(
  resources.map((resource) => [resource.collection, segmentsOf(resource)]),
)

/**
 * Addresses of one instance below a base such as `https://api.example.org` (docs/behaviour/wire.md#links); addresses of
 * the deployment for null.
 */
export const linksFor = (origin: string, instance: number | null): Links => {
  const base = instance === null ? origin : `${origin}/${instance}`
  return {
    root: base,
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

export type Headers = Readonly<Record<string, string>>

/** A successful response before it is sent. */
export type Result =
  | { readonly _tag: 'Json'; readonly body: Json; readonly headers?: Headers; readonly mediaType?: string }
  /** A text in UTF-8, in pieces, so that other requests are served while a long one is encoded. */
  | { readonly _tag: 'Text'; readonly pieces: Iterable<string>; readonly mediaType: string }
  | { readonly _tag: 'Redirect'; readonly location: string; readonly caching: Caching }
  | { readonly _tag: 'DefaultThumbnail'; readonly kind: ThumbnailKind }

type ParameterName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterName<Rest>
  : never

/** The values of the parameters of a path; UUIDs in lower case. */
export type PathValues<Path extends string> = { readonly [Name in ParameterName<Path>]: string }

/** What a response is built from, in addition to the output of the operation. */
export type ResponseContext<Path extends string = string> = {
  readonly path: PathValues<Path>
  readonly links: Links
  readonly target: RequestTarget
}

/** The content of a successful response, and how it is built from the output of the operation. */
export type Response<Output, Path extends string = string> = {
  readonly payload: Payload
  readonly encode: (output: Output, context: ResponseContext<Path>) => Result
}

export const json = (body: Json): Result => ({ _tag: 'Json', body })

type Properties = Readonly<Record<string, Schema>>

/** The schemas of attributes of a shape, by name, for a response that contains them among others. */
const shownOf = ({ attributes }: Shape, ...names: readonly string[]): Properties =>
  Object.fromEntries(
    names.map((name) => {
      const attribute = attributes[name]
      if (attribute === undefined || attribute.kind === 'computed')
        throw new Error(`${name} is not returned to clients`)
      const { schema } = attribute.kind === 'derived' ? attribute : attribute.type
      return [name, { ...schema, description: attribute.description }]
    }),
  )

/** An object in which every property is required. */
export const objectSchema = (description: string, properties: Properties): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
})

export const fixed = (name: string, description: string, properties: Properties): Payload => ({
  _tag: 'Fixed',
  name,
  schema: objectSchema(description, properties),
})

const message = (description: string): Properties => ({ msg: { type: 'string', description } })

/** An object with the attributes of a shape. */
export const objectOf = (shape: NamedShape): Response<JsonObject> => ({
  payload: { _tag: 'Object', of: shape },
  encode: json,
})

/** `{items: […]}`. */
export const itemsOf = (payload: Payload): Response<readonly JsonObject[]> => ({
  payload,
  encode: (items) => json({ items }),
})

/** Items, and the objects that `include` names; null without `include`. */
type ShownItems = { readonly items: readonly JsonObject[]; readonly included: JsonObject | null }

type Items = Extract<Payload, { readonly _tag: 'Items' }>

/** `{items: […]}`, with `included` if the request has `include`. */
export const includingItemsOf = (payload: Omit<Items, 'includes'>): Response<ShownItems> => ({
  payload: { ...payload, includes: true },
  encode: ({ items, included }) => json({ items, ...(included === null ? {} : { included }) }),
})

type Page = Pick<Listing, 'next' | 'previous'>

type PageQueries = readonly (readonly [string, string])[]

/** The queries of the pages before and after a page, by their relation. */
const queriesOf = ({ query }: Pick<RequestTarget, 'query'>, { next, previous }: Page): PageQueries => [
  ...(next === null ? [] : [['next', pageQuery(query, next)] as const]),
  ...(previous === null ? [] : [['prev', pageQuery(query, previous)] as const]),
]

const absolute = ({ base, path }: RequestTarget, query: string): string => `${base}${path}?${query}`

/** The link to a page in a body: its address, or its query alone for clients that expect that. */
export const linkTo = (target: RequestTarget, query: string): string =>
  target.bareLinks ? query : absolute(target, query)

/** One page of a collection with the links to its neighbours (docs/behaviour/collections.md#links). */
export const pageBody = (
  target: RequestTarget,
  listing: Listing,
  queries: PageQueries = queriesOf(target, listing),
): JsonObject => ({
  items: listing.items,
  ...Object.fromEntries(queries.map(([relation, query]) => [relation, linkTo(target, query)])),
  ...(listing.included === null ? {} : { included: listing.included }),
  ...listing.counted,
})

/** One page of rows. The links are also in a header, where they are always absolute. */
export const rowsOf = (queryable: Queryable): Response<Listing> => ({
  payload: { _tag: 'Rows', of: queryable },
  encode: (listing, { target }) => {
    const queries = queriesOf(target, listing)
    const body = pageBody(target, listing, queries)
    if (queries.length === 0) return json(body)
    const links = queries.map(([relation, query]) => `<${absolute(target, query)}>; rel="${relation}"`)
    return { _tag: 'Json', body, headers: { Link: links.join(', ') } }
  },
})

/** The value of one attribute of a shape. */
export const valueOf = (shape: NamedShape): Response<Json> => ({
  payload: { _tag: 'Value', of: shape },
  encode: json,
})

const writtenPayload = fixed('Written', 'What was written.', shownOf(content, 'url', 'uuid'))

/** The response to a write of an object, whose id the operation returns (docs/behaviour/wire.md#written). */
export const writtenIn = (collection: string): Response<string> => ({
  payload: writtenPayload,
  encode: (id, { links }) => json({ url: links.object(collection, id), uuid: id }),
})

/** The response to the restoration of an object of a collection of the path. */
export const restored: Response<string, '{collection}'> = {
  payload: writtenPayload,
  encode: (id, { links, path: { collection } }) => json({ url: links.object(collection, id), uuid: id }),
}

export const tagAttached: Response<void, '{uuid}{predicate}{object_uuid}'> = {
  payload: writtenPayload,
  encode: (_, { links, path: { uuid, predicate, object_uuid } }) =>
    json({ url: links.tagging(uuid, predicate, object_uuid), uuid: object_uuid }),
}

/** The response to the attachment of a tag to the draft of an object. */
export const draftTagAttached = (collection: string): Response<void, '{uuid}{predicate}{tag_uuid}'> => ({
  payload: writtenPayload,
  encode: (_, { links, path: { uuid, predicate, tag_uuid } }) =>
    json({ url: links.draftTagging(collection, uuid, predicate, tag_uuid), uuid }),
})

/** Where a path of the website leads. */
export const redirectProperties = {
  location: { type: 'string', description: 'Path of the website, or web address, to redirect to.' },
  status: { type: 'integer', minimum: 301, maximum: 302, description: 'Status of the redirect.' },
} as const satisfies Properties

/** The response to DELETE (docs/behaviour/wire.md#deletion). */
export const deleted: Response<void> = {
  payload: fixed('Deleted', 'Confirmation of a deletion.', {
    msg: { type: 'string', enum: ['deleted'], description: 'Always `deleted`.' },
  }),
  encode: () => json({ msg: 'deleted' }),
}

const partWrittenPayload = fixed('PartWritten', 'What was done, and to which object.', {
  ...message('What was done, as text.'),
  ...shownOf(content, 'url', 'uuid'),
})

/** The response to a write of a part of an object. */
export const partWritten = (collection: string, msg: string): Response<void, '{uuid}'> => ({
  payload: partWrittenPayload,
  encode: (_, { links, path: { uuid } }) => json({ msg, url: links.object(collection, uuid), uuid }),
})

/** The response to the comment of a visitor, the same whether it waits for an editor or was discarded. */
export const visitorCommentReceived: Response<void> = {
  payload: fixed('VisitorCommentReceived', 'Confirmation of the comment of a visitor.', {
    msg: { type: 'string', enum: ['received'], description: 'Always `received`.' },
  }),
  encode: () => json({ msg: 'received' }),
}

const slotWrittenPayload = fixed('SlotWritten', 'Which slot was configured.', {
  ...shownOf(slot, 'content_uuid', 'url'),
  slot_uuid: { type: 'string', format: 'uuid', description: 'The slot.' },
})

const slotWrittenAt = (of: 'slot' | 'draftSlot'): Response<void, '{uuid}{slot_uuid}'> => ({
  payload: slotWrittenPayload,
  encode: (_, { links, path: { uuid, slot_uuid } }) =>
    json({ content_uuid: uuid, slot_uuid, url: links[of](uuid, slot_uuid) }),
})

export const slotWritten = slotWrittenAt('slot')
export const draftSlotWritten = slotWrittenAt('draftSlot')

const mediaWrittenPayload = fixed(
  'MediaWritten',
  'What was done to the list of media.',
  message('What was done: `media added` or `media updated`.'),
)

export const mediaWritten = (msg: 'media added' | 'media updated'): Response<void> => ({
  payload: mediaWrittenPayload,
  encode: () => json({ msg }),
})

export const settingsWritten: Response<void, '{iid}'> = {
  payload: fixed('SettingsWritten', 'Where the settings are.', {
    url: { type: 'string', format: 'uri', description: 'API URL of the settings.' },
  }),
  encode: (_, { links }) => json({ url: `${links.root}/settings` }),
}

/** The response to an upload, of which the operation returns the metadata. */
export const uploaded: Response<JsonObject, '{uuid}'> = {
  payload: fixed(
    'Uploaded',
    'Which file has new data, and where it can be downloaded.',
    shownOf(file, 'download_url', 'url', 'uuid'),
  ),
  encode: ({ upload }, { links, path: { uuid } }) =>
    json({ download_url: links.download(uuid, Number(upload)), url: links.object('files', uuid), uuid }),
}

/** Where the data is that has replaced this, or where it is cropped around the present focal point (docs/behaviour/files.md#download-address). */
export const replacedData = (
  { upload, image }: Replaced,
  { links, path: { uuid } }: ResponseContext<'{uuid}'>,
): Result => ({ _tag: 'Redirect', location: links.download(uuid, upload, image), caching: 'object' })

export const defaultThumbnail: Response<ThumbnailKind> = {
  payload: { _tag: 'Data' },
  encode: (kind) => ({ _tag: 'DefaultThumbnail', kind }),
}

const listed = (name: string, description: string, what: string, item: Properties): Payload =>
  fixed(name, description, {
    items: { type: 'array', description: 'All of them.', items: objectSchema(what, item) },
  })

/** The tag cloud (docs/behaviour/tags.md#tag-cloud). */
export const tagCloud = itemsOf(
  listed('TagCloud', 'The most used tags of live objects.', 'A tag with its weight.', {
    ...shownOf(tag, 'uuid', 'url', 'title', 'urlname'),
    count: { type: 'integer', minimum: 1, description: 'Number of live objects that have it.' },
    weight: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Its count as a share of the highest one.',
    },
  }),
)
