/** Default time, settings and addresses of tests, viewers and views. */
import { imageQuery } from '../images/image-request.js'
import type { InstanceRules, Links, Viewer, ViewContext } from '../resource/view-context.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { defaultStreamingHosts, type ValueContext, type Reference } from '../value/value-type.js'
import type { Settings } from '../instances/settings.js'
import type { Role } from '../role/permissions.js'
import type { JsonObject } from '../json.js'
import { findAmong, type FoundObjects } from '../resource/read-plan.js'
import { attributesOf, type Shape } from '../resource/attribute-tables.js'

/** The time of every write and view that names no other. */
export const now = '2026-03-01T13:00:00' as NaiveDateTime

/** A time after `now`. */
export const later = '2026-03-02T08:30:00' as NaiveDateTime

/** The UUID of the written and viewed object. */
export const objectId = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

/** Settings of an instance that has the directory add-on. */
export const withAddon: InstanceRules = {
  timezone: 'Europe/Vienna',
  directory_addon: true,
  website_url: null,
}

/** Settings of an instance that does not have it. */
export const withoutAddon: InstanceRules = {
  timezone: 'Europe/Vienna',
  directory_addon: false,
  website_url: null,
}

/** All settings of an instance with a website, which opens what it can. */
export const withWebsite = {
  timezone: 'Europe/Vienna',
  directory_addon: false,
  public_downloads: true,
  public_feeds: true,
  public_reading: true,
  public_comments: true,
  shared_max_age: 60,
  prepare_images: false,
  title: 'Demo',
  language: 'de-AT',
  website_url: 'https://www.example.org/',
  preview_url: null,
  hub_url: null,
  robots_disallow: [],
} as const satisfies Settings

/** What reading a value depends on; unknown attributes are ignored. */
export const valueContext: ValueContext = {
  zone: 'Europe/Vienna',
  streamingHosts: defaultStreamingHosts,
  strict: false,
}

/** Addresses of instance 1, without a host. */
export const links: Links = {
  root: '/1',
  collection: (collection) => `/1/${collection}`,
  object: (collection, id) => `/1/${collection}/${id}`,
  tagging: (tagId, predicate, taggedId) => `/1/tags/${tagId}/${predicate}/${taggedId}`,
  draftTagging: (collection, id, predicate, tagId) =>
    `/1/${collection}/${id}/draft/tags/${predicate}/${tagId}`,
  slot: (contentId, slotId) => `/1/content/${contentId}/slots/${slotId}`,
  draftSlot: (contentId, slotId) => `/1/content/${contentId}/draft/slots/${slotId}`,
  download: (fileId, upload, image) =>
    `/1/files/${fileId}/download/${upload}${image ? `?${imageQuery(image)}` : ''}`,
  defaultThumbnail: (kind) => `/1/files/default-thumbnail/${kind}`,
}

export const viewer = (role: Role, circumstances: Partial<Omit<Viewer, 'role'>> = {}): Viewer => ({
  role,
  now,
  settings: withAddon,
  ...circumstances,
})

// The circumstances of a view, with every object that the state refers to.

/** Every reference in a state. */
const referencesIn = (shape: Shape, state: JsonObject): readonly Reference[] =>
  Object.entries(attributesOf(shape, state)).flatMap(([name, attribute]) => {
    const value = state[name] ?? null
    return attribute.kind === 'stored' && value !== null ? (attribute.type.references?.(value) ?? []) : []
  })

type Entry = readonly [`${string}/${string}`, JsonObject]

const entryOf = ({ collection, id, media }: Reference): Entry => [
  `${collection}/${id}`,
  {
    urlname: 'referred',
    parent_uuid: null,
    last_name_or_title: `Tag ${id}`,
    ...(media === undefined ? {} : { mimetype: `${media}/x`, upload: 7 }),
  },
]

/** The further objects that derived attributes read; categories contain every tag of the object. */
const additionalStates = (shape: Shape, references: readonly Reference[]): readonly Entry[] =>
  Object.values(attributesOf(shape, {})).flatMap((attribute): readonly Entry[] => {
    if (attribute.kind !== 'derived' || attribute.alsoReads === undefined) return []
    const { collection, id } = attribute.alsoReads
    const members = references.filter((each) => each.collection === 'tags').map((each) => each.id)
    return [[`${collection}/${id}`, { members }]]
  })

type Circumstances = {
  readonly role?: Role
  readonly settings?: InstanceRules
  readonly at?: NaiveDateTime
  readonly isDead?: (reference: Reference) => boolean
}

/** The view of a state whose references all lead to an object, except those that `isDead` returns true for. */
export const viewOn = (
  shape: Shape,
  state: JsonObject,
  { role = 'editor', settings = withAddon, at = now, isDead = () => false }: Circumstances = {},
): ViewContext => {
  const references = referencesIn(shape, state)
  const found: FoundObjects = new Map([
    ...references.filter((reference) => !isDead(reference)).map(entryOf),
    ...additionalStates(shape, references),
  ])
  return {
    ...viewer(role, { now: at, settings }),
    id: objectId,
    links,
    canScale: () => true,
    find: findAmong(found),
    count: () => 0,
  }
}
