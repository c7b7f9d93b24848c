import * as t from 'io-ts'
import { jsonObject, type Json, type JsonObject, isJsonObject } from '../json.js'
import { stored, derived, type WholeOf } from '../resource/attribute.js'
import { tableEntries, attributeIn, partOf, type Shape } from '../resource/attribute-tables.js'
import { opaque, type Reference, type ValueContext } from '../value/value-type.js'
import { media } from './media.js'
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { type WriteMode, draftAttributes } from '../resource/draft-attributes.js'
import { bodyUuidFaults } from '../resource/draft-write.js'
import { oneOf } from '../value/scalar.js'
import { parseUuid } from '../value/text.js'

const storedSlot = t.readonly(
  t.type({
    relevance: t.string,
    display: t.union([t.string, t.null]),
    media: t.readonlyArray(jsonObject),
  }),
)

const storedSlots = t.readonly(t.record(t.string, storedSlot))

/** A stored slot: its configuration, and its media in order. */
type StoredSlot = t.TypeOf<typeof storedSlot>

/** Slots by UUID. A slot whose tag was removed from the body is retained, and reappears with its tag (docs/behaviour/slots-and-media.md#removed-tags). */
type StoredSlots = t.TypeOf<typeof storedSlots>

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
      part: true,
      heavy: true,
      initial: {},
    },
  ),
} as const

type Identified = { readonly slot: string }

const attributes = {
  uuid: derived(
    { type: 'string', format: 'uuid' },
    'The id of the slot tag.',
    (state: Identified) => state.slot,
  ),
  url: derived({ type: 'string', format: 'uri' }, 'API URL.', (state: Identified, view) =>
    view.links.slot(view.id, state.slot),
  ),
  content_uuid: derived({ type: 'string', format: 'uuid' }, 'The content object.', (_state, view) => view.id),
  content_url: derived({ type: 'string', format: 'uri' }, 'API URL of the content object.', (_state, view) =>
    view.links.object('content', view.id),
  ),
  relevance: stored(oneOf(['inline', 'aside']), 'Whether the slot is in the text or next to it.', {
    initial: 'inline',
  }),
  display: stored(oneOf(['carousel', 'gallery']), 'How its media are shown.'),
} as const

/** The configuration of a slot. */
export type Slot = WholeOf<typeof attributes>

/** A media slot of a content object. The id of its view is that of the content. */
export const slot = {
  attributes,
  examples: { bodies: [{ relevance: 'inline', display: 'carousel' }], change: { display: 'gallery' } },
} as const satisfies Shape

export const slotLimits = {
  /** Maximum number of media in one slot (docs/behaviour/slots-and-media.md#capacity). */
  media: 500,
  /** Maximum number of slots in one body. */
  slots: 200,
  /**
   * Maximum size of all slots of one content object, in characters of JSON, so that their media can be read quickly and
   * sent back in one request.
   */
  characters: 1_200_000,
} as const

const emptySlot: StoredSlot = { relevance: 'inline', display: null, media: [] }

const storedIn = (content: JsonObject): StoredSlots => attributeIn(slotsAttributes, 'slots', content) ?? {}

/** The slots whose tags are in the body, in its order. */
export const placedSlots = ({ placed_slots: placed }: JsonObject): readonly string[] =>
  Array.isArray(placed) ? placed.filter((id) => typeof id === 'string') : []

export const isPlaced = (content: JsonObject, slotId: string): boolean =>
  placedSlots(content).includes(slotId)

/** The slot of the deprecated single media list: it needs no tag and has the UUID of the content. */
export const implicitSlot = (contentId: string): string => contentId

/** A slot can be read if its tag is in the body; the implicit slot, if it has media (docs/behaviour/deprecated.md#media-list). */
export const isReadable = (content: JsonObject, contentId: string, slotId: string): boolean =>
  isPlaced(content, slotId) ||
  (slotId === implicitSlot(contentId) && slotOf(content, slotId).media.length > 0)

/** A slot can be written only if its tag is in the body. */
export const placementFaults = (content: JsonObject, slotId: string): readonly Fault[] =>
  isPlaced(content, slotId)
    ? []
    : [
        fault(
          'slot_uuid',
          'rule',
          `the body does not contain the tag <slot id="${slotId}"/>: add it there first`,
        ),
      ]

/** A stored slot, with the defaults if it was never configured. */
export const slotOf = (content: JsonObject, slotId: string): StoredSlot =>
  storedIn(content)[slotId] ?? emptySlot

/** The state from which the view of a slot is computed. */
export const slotState = (content: JsonObject, slotId: string): JsonObject => {
  const { relevance, display } = slotOf(content, slotId)
  return { slot: slotId, relevance, display }
}

/** The slots whose media are in the deprecated list: those in the body, in its order, then the implicit slot. */
export const listedSlots = (content: JsonObject, contentId: string): readonly string[] => [
  ...new Set([...placedSlots(content), implicitSlot(contentId)]),
]

const tooMuchText = fault(
  'items',
  'limit',
  `the slots of one content object can have at most ${slotLimits.characters} characters together`,
)

const lengthOf = (slots: StoredSlots): number => JSON.stringify(slots).length

/** Slots that exceed the limit, because it was higher when they were written, may shrink gradually. */
const withSlots = (content: JsonObject, slots: StoredSlots): Either<readonly Fault[], JsonObject> =>
  lengthOf(slots) > slotLimits.characters && lengthOf(slots) >= lengthOf(storedIn(content))
    ? E.left([tooMuchText])
    : E.right({ ...content, slots })

/** A fault if received media have more text than all slots may have, checked before any markup is parsed. */
export const mediaTextFaults = ({ items }: JsonObject): readonly Fault[] => {
  let length = 0
  for (const item of Array.isArray(items) ? items : []) {
    if (!isJsonObject(item)) continue
    for (const name of ['title', 'content', 'embed_code']) {
      const text = item[name]
      if (typeof text === 'string') length += text.length
    }
  }
  return length > slotLimits.characters ? [tooMuchText] : []
}

/** The content with a slot configured: PUT replaces its attributes, PATCH changes those that are sent. */
export const configureSlot = (
  content: JsonObject,
  slotId: string,
  mode: WriteMode,
  input: JsonObject,
  context: ValueContext,
): Either<readonly Fault[], JsonObject> => {
  const previous = mode === 'put' ? null : slotState(content, slotId)
  const { state, faults } = draftAttributes(slot, { mode, input, previous, context })
  const all = [...placementFaults(content, slotId), ...bodyUuidFaults(input, slotId), ...faults]
  if (all.length > 0) return E.left(all)
  const { relevance, display } = partOf(attributes, state)
  const configured = { ...slotOf(content, slotId), relevance: relevance ?? emptySlot.relevance, display }
  return withSlots(content, { ...storedIn(content), [slotId]: configured })
}

/** The content without the configuration and media of a slot; its tag stays in the body. */
export const clearSlot = (content: JsonObject, slotId: string): JsonObject => {
  const { [slotId]: _cleared, ...rest } = storedIn(content)
  return { ...content, slots: rest }
}

/** The content with a slot's media replaced. */
export const replaceMedia = (
  content: JsonObject,
  slotId: string,
  items: readonly JsonObject[],
): Either<readonly Fault[], JsonObject> =>
  items.length > slotLimits.media
    ? E.left([fault('items', 'limit', `a slot can have at most ${slotLimits.media} media`)])
    : withSlots(content, { ...storedIn(content), [slotId]: { ...slotOf(content, slotId), media: items } })

/**
 * The content with the deprecated single list replaced. Only the media of the implicit slot change: items that were read
 * from a slot in the body are ignored, so that sending a read list back changes nothing
 * (docs/behaviour/deprecated.md#media-list).
 */
export const replaceListedMedia = (
  content: JsonObject,
  contentId: string,
  { items: sent }: JsonObject,
  items: readonly JsonObject[],
): Either<readonly Fault[], JsonObject> => {
  const own = implicitSlot(contentId)
  const isOfBody = (index: number): boolean => {
    const medium: unknown = Array.isArray(sent) ? sent[index] : null
    const { slot_uuid: id } = isJsonObject(medium) ? medium : {}
    const named = typeof id === 'string' ? parseUuid(id) : null
    return named !== null && named !== own && isPlaced(content, named)
  }
  return replaceMedia(
    content,
    own,
    items.filter((_item, index) => !isOfBody(index)),
  )
}
