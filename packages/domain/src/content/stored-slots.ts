import { E } from '../fp.js'
import { fault } from '../fault.js'
import { isJsonObject, type JsonObject } from '../json.js'
import type { ValueType } from '../value/value-type.js'

/** A slot as it is stored: what was configured, and its media in order. */
export type StoredSlot = {
  readonly relevance: string
  readonly display: string | null
  readonly media: readonly JsonObject[]
}

/** Slots by UUID. A slot whose tag left the body stays here, and is back with its tag (decisions §8). */
export type StoredSlots = { readonly [slotId: string]: StoredSlot }

/** Never comes off the wire: the rules on slots write it. */
export const storedSlots: ValueType<StoredSlots> = {
  schema: { type: 'object' },
  decode: (value) =>
    isJsonObject(value) ? E.right(value as StoredSlots) : E.left([fault('', 'must be an object')]),
}
