import * as t from 'io-ts'
import { jsonObject, type Json, type JsonObject } from '../json.js'
import { stored } from '../resource/attribute.js'
import { tableEntries } from '../resource/table-entries.js'
import { opaque, type Reference } from '../value/value-type.js'
import { media } from './media.js'

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

const mediumReferences = (medium: JsonObject): readonly Reference[] =>
  tableEntries(media.attributes).stored.flatMap(
    ([name, { type }]) => type.references?.(medium[name] ?? null) ?? [],
  )

const slotReferences = (slots: Json): readonly Reference[] =>
  storedSlots.is(slots) ? Object.values(slots).flatMap((slot) => slot.media.flatMap(mediumReferences)) : []

/** The slots in the state of a content object. */
export const slotsAttributes = {
  slots: stored(
    opaque(storedSlots, { targets: ['files'], references: slotReferences }),
    'Settings and media of the slots, by slot UUID.',
    {
      internal: true,
      heavy: true,
      initial: {},
    },
  ),
} as const
