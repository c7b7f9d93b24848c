import type { Json, JsonObject } from '../json.js'

/** Another page: its number, and where it starts if that is known. */
export type PageLink = { readonly page: number; readonly after: Json | null }

/** One page of a collection: rows in the order of `fields`, and the pages that follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly next: PageLink | null
  readonly previous: PageLink | null
  /** The objects that `include` names, by UUID; null without `include`. */
  readonly included: JsonObject | null
}
