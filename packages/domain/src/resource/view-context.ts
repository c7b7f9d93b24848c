import type { JsonObject } from '../json.js'
import type { Role } from '../role/permissions.js'
import type { ThumbnailKind, RecordedImage } from '../images/image-format.js'
import type { ImageRequest } from '../images/image-request.js'
import type { ClockTime } from '../time/naive-date-time.js'

/** The settings of an instance that rules use. */
export type InstanceRules = {
  readonly timezone: string
  readonly directory_addon: boolean
  readonly website_url: string | null
}

/** The role, time and settings that views depend on. */
export type Viewer = { readonly role: Role; readonly now: ClockTime; readonly settings: InstanceRules }

/** Builds the absolute addresses in views; the HTTP contract defines the paths. */
export type Links = {
  /** The address of the instance, or of the deployment. */
  readonly root: string
  readonly collection: (collection: string) => string
  readonly object: (collection: string, id: string) => string
  readonly slot: (contentId: string, slotId: string) => string
  /** A slot of the draft of content. */
  readonly draftSlot: (contentId: string, slotId: string) => string
  readonly tagging: (tagId: string, predicate: string, objectId: string) => string
  /** A tag of the draft of an object of a collection. */
  readonly draftTagging: (collection: string, objectId: string, predicate: string, tagId: string) => string
  /** `upload` is the integer of the download path; `image` has the parameters. */
  readonly download: (fileId: string, upload: number, image?: Partial<ImageRequest> | null) => string
  readonly defaultThumbnail: (kind: ThumbnailKind) => string
}

/** A number of objects: those of a collection with this text in a counted key that refer to the viewed object. */
export type Count = {
  readonly collection: string
  readonly key: string
  readonly text: string
  /** The key that refers to the viewed object. */
  readonly within: string
}

/** Everything that a view depends on besides the state. */
export type ViewContext = Viewer & {
  /** The object that is viewed. */
  readonly id: string
  readonly links: Links
  /** Whether the deployment can scale the image. */
  readonly canScale: (image: RecordedImage) => boolean
  /** The state of a referenced object; undefined if it does not exist or the role may not see it. */
  readonly find: (collection: string, id: string) => JsonObject | undefined
  readonly count: (count: Count) => number
  /** A passage of the first of these texts in which the search that found the object finds something; absent without a search. */
  readonly highlight?: (texts: Iterable<string>) => string | null
}
