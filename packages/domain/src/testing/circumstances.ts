/** Default time, settings and addresses of tests. */
import type { InstanceRules, Links } from '../resource/view-context.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'
import { defaultStreamingHosts } from '../value/streaming-host.js'
import type { ValueContext } from '../value/value-type.js'

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

/** What reading a value depends on; unknown attributes are ignored. */
export const valueContext: ValueContext = {
  zone: 'Europe/Vienna',
  streamingHosts: defaultStreamingHosts,
  strict: false,
}

/** Addresses of instance 1, without a host. */
export const links: Links = {
  collection: (collection) => `/1/${collection}`,
  object: (collection, id) => `/1/${collection}/${id}`,
  tagging: (tagId, predicate, taggedId) => `/1/tags/${tagId}/${predicate}/${taggedId}`,
  slot: (contentId, slotId) => `/1/content/${contentId}/slots/${slotId}`,
  download: (fileId, upload, box) =>
    `/1/files/${fileId}/download/${upload}${box ? `?w=${box.w}&h=${box.h}` : ''}`,
  defaultThumbnail: (kind) => `/1/files/default-thumbnail/${kind}`,
}
