import type { JsonObject } from '../json.js'
import type { Role } from '../role/role.js'
import type { ThumbnailKind } from '../file/default-thumbnail.js'
import type { RecordedImage } from '../image/image-format.js'
import type { NaiveDateTime } from '../time/naive-date-time.js'

/** What rules on resources read of an instance's settings. */
export type InstanceRules = {
  readonly timezone: string
  readonly directory_addon: boolean
  readonly website_url: string | null
}

/** Who reads, when, and on which instance, as far as rules on reading need it. */
export type Viewer = { readonly role: Role; readonly now: NaiveDateTime; readonly settings: InstanceRules }

/** Builds the absolute addresses that are in views; the paths are the HTTP contract's. */
export type Links = {
  readonly collection: (collection: string) => string
  readonly object: (collection: string, id: string) => string
  readonly slot: (contentId: string, slotId: string) => string
  readonly tagging: (tagId: string, predicate: string, objectId: string) => string
  /** `upload` is the integer of the download path; `box` the maximum width and height in pixels. */
  readonly download: (fileId: string, upload: number, box?: number) => string
  readonly defaultThumbnail: (kind: ThumbnailKind) => string
}

/** A number of objects: those of a collection that have the text under a tallied key, and name the viewed object. */
export type Count = {
  readonly collection: string
  readonly key: string
  readonly text: string
  /** The key under which they name it. */
  readonly within: string
}

/** Everything other than the state that a view depends on. */
export type View = Viewer & {
  /** The object that is viewed. */
  readonly id: string
  readonly links: Links
  /** Whether the deployment scales such images; all where not said. */
  readonly canScale?: (image: RecordedImage) => boolean
  /** The state of an object that is referred to, where it exists and the role may see it. */
  readonly find: (collection: string, id: string) => JsonObject | undefined
  readonly count: (count: Count) => number
}
