import { content, notFound, type Fault } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { draftItem } from '@publishing-service/domain/declare'
import {
  implicitSlot,
  isReadable,
  listedSlots,
  media,
  mediaTextFaults,
  replaceListedMedia,
  replaceMedia as withMedia,
  slotLimits,
  slotMediaFaults,
  slotOf,
} from '@publishing-service/domain/content'
import type { IncludePath, Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { draftItems, type ItemsDraft } from '@publishing-service/domain/engine'
import { accepted, fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import { changePart } from '../engine/change-part.js'
import {
  loadReferencedObjects,
  loadReferences,
  lookupsOfReferences,
  lookupsOfStates,
} from '../engine/load-related.js'
import { findVisible, includePathsOf } from '../engine/read-one.js'
import { showItems, type ShownItems } from '../engine/show-items.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'

/** One slot of a content object, or, without a slot, the deprecated single list over all of them. */
type MediaAddress = { readonly contentId: string; readonly slotId: string | null }

type MediaWrite = MediaAddress & { readonly body: JsonObject }

const exists = (state: JsonObject, { contentId, slotId }: MediaAddress): boolean =>
  slotId === null || isReadable(state, contentId, slotId)

const showMedia = async (
  session: Session,
  { contentId, slotId }: MediaAddress,
  state: JsonObject,
  paths: readonly IncludePath[] = [],
): Promise<ShownItems> => {
  const slots = slotId === null ? listedSlots(state, contentId) : [slotId]
  const entries = slots.flatMap((each) => slotOf(state, each).media.map((item) => ({ slot: each, item })))
  const items = entries.map(({ item }) => item)
  const find = await loadReferences(session, lookupsOfStates(session, media, items))
  const stored = entries.map(({ slot, item }) => ({
    state: item,
    view: new SessionView(session, slot, { find }),
  }))
  return showItems(session, media, stored, paths)
}

/** The media of a slot, or of all listed slots one after the other, as the caller reads them. */
export const listMedia: ReadOperation<MediaAddress & { readonly parameters: Parameters }, ShownItems> = {
  ...operations.listMedia,
  run: async (session, { parameters, ...address }) => {
    const paths = includePathsOf(media, parameters)
    const { value } = await findVisible(session, content, address.contentId)
    if (!exists(value, address)) fail(notFound)
    return showMedia(session, address, value, paths)
  },
}

/** The maximum number of media in a list. */
const mediaLimit = ({ contentId, slotId }: MediaAddress, state: JsonObject): number =>
  slotId === null ? slotLimits.media * listedSlots(state, contentId).length : slotLimits.media

type Change = {
  readonly draft: (state: JsonObject) => ItemsDraft
  /** The content with the drafted media, none of which has a fault. */
  readonly apply: (state: JsonObject, items: readonly JsonObject[]) => Either<readonly Fault[], JsonObject>
}

const changeMedia = (session: Session, address: MediaAddress, { draft, apply }: Change): Promise<void> =>
  changePart(session, content, address.contentId, {
    show: async (state) =>
      exists(state, address) ? { items: (await showMedia(session, address, state)).items } : null,
    change: async (state) => {
      const drafted = draft(state)
      const found = await loadReferencedObjects(session, lookupsOfReferences(drafted.references))
      const faults = slotMediaFaults(state, address.slotId, drafted, found)
      return accepted(faults.length > 0 ? E.left(faults) : apply(state, drafted.items))
    },
  })

/** Replaces the whole list: `{items: […]}`. */
export const replaceMedia: WriteOperation<MediaWrite, void> = {
  ...operations.replaceMedia,
  changed: ({ contentId }) => ({ object: contentId }),
  run: (session, { body, ...address }) => {
    const { contentId, slotId } = address
    const context = valueContextOf(session)
    return changeMedia(session, address, {
      draft: (state) => {
        const faults = mediaTextFaults(body)
        return faults.length > 0
          ? { items: [], references: [], faults }
          : draftItems(media, body, context, mediaLimit(address, state))
      },
      apply: (state, items) =>
        slotId === null ? replaceListedMedia(state, contentId, body, items) : withMedia(state, slotId, items),
    })
  },
}

/** Appends one medium. */
export const addMedium: WriteOperation<MediaWrite, void> = {
  ...operations.addMedium,
  changed: ({ contentId }) => ({ object: contentId }),
  run: (session, { body, ...address }) => {
    const context = valueContextOf(session)
    const slotId = address.slotId ?? implicitSlot(address.contentId)
    return changeMedia(session, address, {
      draft: () => draftItem(media, body, context),
      apply: (state, added) => withMedia(state, slotId, [...slotOf(state, slotId).media, ...added]),
    })
  },
}
