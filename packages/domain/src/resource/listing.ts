import type { Json, JsonObject } from '../json.js'

/** One page of a collection: rows in the order of `fields`, and whether pages follow and precede it. */
export type Listing = {
  readonly items: readonly (readonly Json[])[]
  readonly page: number
  readonly hasNext: boolean
  /** The objects that `include` names, by UUID; null without `include`. */
  readonly included: JsonObject | null
}
