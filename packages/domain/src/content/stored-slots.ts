import * as t from 'io-ts'
import { jsonObject } from '../json.js'
import { stored } from '../resource/attribute.js'
import { opaque } from '../value/opaque.js'

const storedSlot = t.readonly(
  t.type({
    relevance: t.string,
    display: t.union([t.string, t.null]),
    media: t.readonlyArray(jsonObject),
  }),
)

const storedSlots = t.readonly(t.record(t.string, storedSlot))

/** A stored slot: its configuration, and its media in order. */
export type StoredSlot = t.TypeOf<typeof storedSlot>

/** Slots by UUID. A slot whose tag was removed from the body is retained, and reappears with its tag (docs/behaviour/slots-and-media.md#removed-tags). */
export type StoredSlots = t.TypeOf<typeof storedSlots>

/** The slots in the state of a content object. */
export const slotsAttributes = {
  slots: stored(opaque(storedSlots), 'Settings and media of the slots, by slot UUID.', {
    internal: true,
    heavy: true,
    initial: {},
  }),
} as const
