import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { isJsonObject, type JsonObject } from '../json.js'
import { boundFaults, type Bound } from '../resource/bound.js'
import { derived, stored, type AttributeTable } from '../resource/attribute.js'
import { bodyUuidFaults, draftAttributes } from '../resource/draft-write.js'
import { oneOf } from '../value/scalar.js'
import { parseUuid } from '../value/text.js'
import type { ValueContext } from '../value/value-type.js'
import type { StoredSlot, StoredSlots } from './stored-slots.js'

const attributes: AttributeTable = {
  uuid: derived(
    { type: 'string', format: 'uuid' },
    'Equals the id of the slot tag.',
    (state) => state['slot'] ?? null,
  ),
  url: derived({ type: 'string', format: 'uri' }, 'API URL.', (state, view) =>
    view.links.slot(view.id, String(state['slot'])),
  ),
  content_uuid: derived({ type: 'string', format: 'uuid' }, 'The content object.', (_state, view) => view.id),
  content_url: derived({ type: 'string', format: 'uri' }, 'API URL of the content object.', (_state, view) =>
    view.links.object('content', view.id),
  ),
  relevance: stored(oneOf(['inline', 'aside']), 'Where the slot stands to the text.', { initial: 'inline' }),
  display: stored(oneOf(['carousel', 'gallery']), 'How its media are shown; only with relevance inline.'),
}

const bound: Bound = { attributes: ['display'], where: { attribute: 'relevance', values: ['inline'] } }

/** A media slot of a content object (specification, Media slot; decisions §8). Its view’s id is the content’s. */
export const slot = { attributes, bound } as const

export const slotLimits = {
  /** Media in one slot (decisions §8). */
  media: 500,
  /** All slots of one content object together, in characters of JSON: it keeps the document within every store’s bound. */
  characters: 6_000_000,
} as const

const emptySlot: StoredSlot = { relevance: 'inline', display: null, media: [] }

const storedIn = (content: JsonObject): StoredSlots =>
  isJsonObject(content['slots']) ? (content['slots'] as unknown as StoredSlots) : {}

/** The slots whose tags stand in the body, in its order. */
export const placedSlots = (content: JsonObject): readonly string[] => {
  const placed = content['placed_slots']
  return Array.isArray(placed) ? placed.filter((id) => typeof id === 'string') : []
}

export const isPlaced = (content: JsonObject, slotId: string): boolean =>
  placedSlots(content).includes(slotId)

/** A slot is written only where its tag stands. */
export const placementFaults = (content: JsonObject, slotId: string): readonly Fault[] =>
  isPlaced(content, slotId)
    ? []
    : [fault('slot_uuid', `no tag <slot id="${slotId}"/> stands in the body: place it there first`)]

/** One slot as stored, with the defaults where it was never configured. */
export const slotOf = (content: JsonObject, slotId: string): StoredSlot =>
  storedIn(content)[slotId] ?? emptySlot

/** The state that the slot's view is made from. */
export const slotState = (content: JsonObject, slotId: string): JsonObject => {
  const { relevance, display } = slotOf(content, slotId)
  return { slot: slotId, relevance, display }
}

/** The slot of the deprecated single media list: it needs no tag and has the content's own UUID. */
export const implicitSlot = (contentId: string): string => contentId

/** Every slot whose media the deprecated list gives: those in the body, in its order, then the implicit one. */
export const listedSlots = (content: JsonObject, contentId: string): readonly string[] => [
  ...new Set([...placedSlots(content), implicitSlot(contentId)]),
]

const withSlots = (content: JsonObject, slots: StoredSlots): Either<readonly Fault[], JsonObject> =>
  JSON.stringify(slots).length > slotLimits.characters
    ? E.left([
        fault(
          'items',
          `the slots of one content object hold at most ${slotLimits.characters} characters together`,
        ),
      ])
    : E.right({ ...content, slots })

/** The content with a slot configured as a PUT asks for. */
export const configureSlot = (
  content: JsonObject,
  slotId: string,
  input: JsonObject,
  context: ValueContext,
): Either<readonly Fault[], JsonObject> => {
  const { state, faults } = draftAttributes(slot, { mode: 'put', input, previous: null, context })
  const all = [
    ...placementFaults(content, slotId),
    ...bodyUuidFaults(input, slotId),
    ...faults,
    ...boundFaults(bound, state),
  ]
  if (all.length > 0) return E.left(all)
  const configured = {
    ...slotOf(content, slotId),
    relevance: String(state['relevance']),
    display: state['display'] as string | null,
  }
  return withSlots(content, { ...storedIn(content), [slotId]: configured })
}

/** The content without what was configured and put into a slot; its tag stays in the body. */
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
    ? E.left([fault('items', `a slot holds at most ${slotLimits.media} media`)])
    : withSlots(content, { ...storedIn(content), [slotId]: { ...slotOf(content, slotId), media: items } })

/**
 * The content with the media of all its listed slots replaced at once: each item goes to the slot that its
 * slot_uuid names, else to the implicit one, so that sending a read list back changes nothing.
 */
export const replaceListedMedia = (
  content: JsonObject,
  contentId: string,
  input: JsonObject,
  items: readonly JsonObject[],
): Either<readonly Fault[], JsonObject> => {
  const sent = Array.isArray(input['items']) ? input['items'] : []
  const target = (index: number): string => {
    const medium: unknown = sent[index]
    const named =
      isJsonObject(medium) && typeof medium['slot_uuid'] === 'string' ? parseUuid(medium['slot_uuid']) : null
    return named !== null && isPlaced(content, named) ? named : implicitSlot(contentId)
  }
  const targets = items.map((_item, index) => target(index))
  return listedSlots(content, contentId).reduce<Either<readonly Fault[], JsonObject>>(
    (result, slotId) =>
      E.isLeft(result)
        ? result
        : replaceMedia(
            result.right,
            slotId,
            items.filter((_item, index) => targets[index] === slotId),
          ),
    E.right(content),
  )
}
