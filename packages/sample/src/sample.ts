/** The sample publication as its files describe it. Attributes are what clients would send to the API. */
import type { JsonObject } from './checks.js'

/** The settings of the instance of the sample. */
export type Settings = {
  readonly title: string
  readonly timezone: string
  readonly directory_addon: boolean
  readonly website_url: string
}

/** The data of a file. */
export type Upload = {
  /** Path in the folder of the publication. */
  readonly file: string
  /** Absolute path. */
  readonly path: string
  /** MIME type. */
  readonly type: string
}

/** A slot that the body of a content object places, with its media. */
export type Slot = {
  readonly id: string
  readonly attributes: JsonObject
  readonly media: readonly JsonObject[]
}

/** The objects that a tag is attached to with one predicate. */
export type Tagging = {
  readonly predicate: string
  readonly objects: readonly string[]
  /** The attributes of each tagging. */
  readonly attributes: JsonObject
}

/** One object under a fixed UUID, and everything that belongs to it. */
export type SampleObject = {
  readonly id: string
  readonly attributes: JsonObject
  /** Attributes that refer to objects of later collections. They are written when every object exists. */
  readonly later: JsonObject
  readonly upload: Upload | null
  readonly slots: readonly Slot[]
  /** UUIDs of the members of the object’s list, in order. */
  readonly members: readonly string[]
  readonly taggings: readonly Tagging[]
  /** Lists of stories by name. */
  readonly stories: Readonly<Record<string, JsonObject>>
  /** Related links can refer to any object. They are written when every object exists. */
  readonly related_links: readonly JsonObject[]
}

/** Objects of one collection, in the order in which they are created. */
export type Collection = {
  /** The name of the collection in the API. */
  readonly name: string
  readonly objects: readonly SampleObject[]
}

export type Sample = {
  readonly settings: Settings
  /** UUID of the content object that the service shows to newcomers. */
  readonly introduction: string
  /** In the order in which they are created: objects refer to earlier ones. */
  readonly collections: readonly Collection[]
}
