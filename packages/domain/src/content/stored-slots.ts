import type { JsonObject } from '../json.js'
import { opaque } from '../value/opaque.js'

/** A slot as it is stored: what was configured, and its media in order. */
export type StoredSlot = {
  readonly relevance: string
  readonly display: string | null
  readonly media: readonly JsonObject[]
}

/** Slots by UUID. A slot whose tag left the body stays here, and is back with its tag (decisions §8). */
export type StoredSlots = { readonly [slotId: string]: StoredSlot }

export const storedSlots = opaque<StoredSlots>()
