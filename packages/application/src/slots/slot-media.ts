import {
  badParameters,
  content,
  draftItem,
  draftItems,
  E,
  implicitSlot,
  isReadable,
  listedSlots,
  media,
  mediaTextFaults,
  notFound,
  pipe,
  replaceListedMedia,
  replaceMedia,
  slotLimits,
  slotMediaFaults,
  slotOf,
  TE,
  tooManyPixels,
  viewOf,
  type Either,
  type Fault,
  type JsonObject,
  type ItemsDraft,
  type View,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewBy, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import {
  loadReferenced,
  loadReferences,
  lookupsOfReferences,
  lookupsOfStates,
} from '../objects/load-references.js'
import { permits, type Precondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { writableBy, type UpdateDocument } from '../objects/update-document.js'
import type { Deployment, Ports } from '../ports.js'

/** One slot of a content object, or, without a slot, the deprecated single list over all of them. */
export type MediaAddress = { readonly contentId: string; readonly slotId: string | null }

const isThere = (state: JsonObject, { contentId, slotId }: MediaAddress): boolean =>
  slotId === null || isReadable(state, contentId, slotId)

/** Which images the deployment scales: those in a format of its imaging, within its limit. */
export const scalesImages =
  ({ imaging }: Pick<Ports, 'imaging'>, { imageLimits }: Pick<Deployment, 'imageLimits'>): Scales =>
  (image) =>
    imaging.formats.includes(image.format) &&
    (imaging.cmyk || !image.isCmyk) &&
    tooManyPixels(image, imageLimits) === null

type Scales = NonNullable<View['canScale']>

const showMedia =
  (documents: DocumentStore, canScale: Scales) =>
  (
    caller: Caller,
    { contentId, slotId }: MediaAddress,
    state: JsonObject,
  ): Outcome<readonly JsonObject[]> => {
    const slots = slotId === null ? listedSlots(state, contentId) : [slotId]
    const entries = slots.flatMap((each) => slotOf(state, each).media.map((item) => ({ slot: each, item })))
    const items = entries.map(({ item }) => item)
    return pipe(
      loadReferences(documents)(caller, lookupsOfStates(media, items)),
      TE.map((find) =>
        entries
          .map(({ slot, item }) => viewOf(media, item, viewBy(caller, slot, { canScale, find })))
          .filter((item) => media.stands?.(item) ?? true),
      ),
    )
  }

/** The media of a slot, or of all listed slots one after the other, as the caller reads them. */
export const listMedia =
  (documents: DocumentStore, canScale: Scales) =>
  (caller: Caller, address: MediaAddress): Outcome<readonly JsonObject[]> =>
    pipe(
      findVisible(documents)(content, caller, address.contentId),
      TE.chain(({ value }) =>
        isThere(value, address)
          ? showMedia(documents, canScale)(caller, address, value)
          : TE.left<Failure, never>(notFound),
      ),
    )

/** How many media a list can hold. */
const mostIn = ({ contentId, slotId }: MediaAddress, state: JsonObject): number =>
  slotId === null ? slotLimits.media * listedSlots(state, contentId).length : slotLimits.media

type Change = {
  readonly draft: (state: JsonObject) => ItemsDraft
  /** The content with the drafted media, none of which has a fault. */
  readonly apply: (state: JsonObject, items: readonly JsonObject[]) => Either<readonly Fault[], JsonObject>
}

const createChangeMedia = (documents: DocumentStore, update: UpdateDocument, canScale: Scales) => {
  const checkPrecondition = (
    caller: Caller,
    address: MediaAddress,
    state: JsonObject,
    precondition: Precondition | undefined,
  ): Outcome<void> => {
    if (precondition === undefined) return TE.right(undefined)
    if (!isThere(state, address)) return TE.fromEither(permits(precondition, null))
    return pipe(
      showMedia(documents, canScale)(caller, address, state),
      TE.chainEitherKW((items) => permits(precondition, { items })),
    )
  }

  return (
    caller: Caller,
    address: MediaAddress,
    precondition: Precondition | undefined,
    { draft, apply }: Change,
  ): Outcome<void> => {
    const rule = (state: JsonObject): Outcome<JsonObject> => {
      const drafted = draft(state)
      return pipe(
        loadReferenced(documents)(caller, lookupsOfReferences(drafted.references)),
        TE.chain((found) => {
          const all = slotMediaFaults(state, address.slotId, drafted, found)
          return pipe(
            TE.fromEither(all.length > 0 ? E.left(all) : apply(state, drafted.items)),
            TE.mapLeft((each): Failure => badParameters(each)),
          )
        }),
      )
    }
    return pipe(
      update(writableBy(content, caller), address.contentId, (state) =>
        pipe(
          checkPrecondition(caller, address, state, precondition),
          TE.chain(() => rule(state)),
        ),
      ),
      TE.map(() => undefined),
    )
  }
}

/** Replaces the whole list: `{items: […]}`. */
export const replaceSlotMedia = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
  canScale: Scales,
) => {
  const changeMedia = createChangeMedia(documents, update, canScale)
  return (
    caller: Caller,
    address: MediaAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const context = valueContextOf(caller, deployment.streamingHosts)
    return changeMedia(caller, address, precondition, {
      draft: (state) => {
        const faults = mediaTextFaults(input)
        return faults.length > 0
          ? { items: [], references: [], faults }
          : draftItems(media, input, context, mostIn(address, state))
      },
      apply: (state, items) =>
        address.slotId === null
          ? replaceListedMedia(state, address.contentId, input, items)
          : replaceMedia(state, address.slotId, items),
    })
  }
}

/** Adds one medium behind the others. */
export const addSlotMedium = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
  canScale: Scales,
) => {
  const changeMedia = createChangeMedia(documents, update, canScale)
  return (
    caller: Caller,
    address: MediaAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const context = valueContextOf(caller, deployment.streamingHosts)
    const slotId = address.slotId ?? implicitSlot(address.contentId)
    return changeMedia(caller, address, precondition, {
      draft: () => draftItem(media, input, context),
      apply: (state, added) => replaceMedia(state, slotId, [...slotOf(state, slotId).media, ...added]),
    })
  }
}
