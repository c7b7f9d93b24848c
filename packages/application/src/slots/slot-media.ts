import {
  badParameters,
  content,
  draftMedia,
  draftMedium,
  E,
  fault,
  implicitSlot,
  isPlaced,
  listedSlots,
  media,
  notFound,
  pipe,
  replaceListedMedia,
  replaceMedia,
  slotOf,
  TE,
  viewOf,
  type Either,
  type Fault,
  type JsonObject,
  type Reference,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewerOf, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { loadReferences, lookupsOfReferences, lookupsOfStates } from '../objects/load-references.js'
import { permits, type Precondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { referenceFaults } from '../objects/reference-faults.js'
import { targetOf, type UpdateDocument } from '../objects/update-document.js'
import type { Deployment } from '../ports.js'

/** One slot of a content object, or, without a slot, the deprecated single list over all of them. */
export type MediaAddress = { readonly contentId: string; readonly slotId: string | null }

const showMedia =
  (documents: DocumentStore) =>
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
        entries.map(({ slot, item }) =>
          viewOf(media, item, { ...viewerOf(caller), id: slot, links: caller.links, find }),
        ),
      ),
    )
  }

/** The media of a slot, or of all listed slots one after the other, as the caller reads them. */
export const listMedia =
  (documents: DocumentStore) =>
  (caller: Caller, address: MediaAddress): Outcome<readonly JsonObject[]> =>
    pipe(
      findVisible(documents)(content, caller, address.contentId),
      TE.chain(({ value }) =>
        address.slotId === null || isPlaced(value, address.slotId)
          ? showMedia(documents)(caller, address, value)
          : TE.left<Failure, never>(notFound),
      ),
    )

const placed = (state: JsonObject, slotId: string | null): Either<readonly Fault[], null> =>
  slotId === null || isPlaced(state, slotId)
    ? E.right(null)
    : E.left([fault('slot_uuid', `no tag <slot id="${slotId}"/> stands in the body: place it there first`)])

const createChangeMedia =
  (documents: DocumentStore, update: UpdateDocument) =>
  (
    caller: Caller,
    address: MediaAddress,
    precondition: Precondition | undefined,
    references: readonly Reference[],
    change: (state: JsonObject) => Either<readonly Fault[], JsonObject>,
  ): Outcome<void> => {
    const permitted = (state: JsonObject): Outcome<void> =>
      precondition === undefined
        ? TE.right(undefined)
        : pipe(
            showMedia(documents)(caller, address, state),
            TE.chainEitherKW((items) => permits(precondition, { items })),
          )
    return pipe(
      update(targetOf(content), caller.instance.number, address.contentId, (state) =>
        pipe(
          TE.fromEither(placed(state, address.slotId)),
          TE.chainFirstW(() => permitted(state)),
          TE.chainW(() => loadReferences(documents)(caller, lookupsOfReferences(references))),
          TE.chainW((find) => {
            const faults = referenceFaults(references, find)
            return TE.fromEither(faults.length > 0 ? E.left(faults) : change(state))
          }),
          TE.mapLeft((failure): Failure => ('_tag' in failure ? failure : badParameters(failure))),
        ),
      ),
      TE.map(() => undefined),
    )
  }

/** Replaces the whole list: `{items: […]}`. */
export const replaceSlotMedia = (
  documents: DocumentStore,
  update: UpdateDocument,
  deployment: Deployment,
) => {
  const changeMedia = createChangeMedia(documents, update)
  return (
    caller: Caller,
    address: MediaAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const draft = draftMedia(input, valueContextOf(caller, deployment.streamingHosts))
    if (E.isLeft(draft)) return TE.left(badParameters(draft.left))
    const { items, references } = draft.right
    return changeMedia(caller, address, precondition, references, (state) =>
      address.slotId === null
        ? replaceListedMedia(state, address.contentId, input, items)
        : replaceMedia(state, address.slotId, items),
    )
  }
}

/** Adds one medium behind the others. */
export const addSlotMedium = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  const changeMedia = createChangeMedia(documents, update)
  return (
    caller: Caller,
    address: MediaAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const draft = draftMedium(input, valueContextOf(caller, deployment.streamingHosts), '')
    if (E.isLeft(draft)) return TE.left(badParameters(draft.left))
    const { item, references } = draft.right
    const slotId = address.slotId ?? implicitSlot(address.contentId)
    return changeMedia(caller, address, precondition, references, (state) =>
      replaceMedia(state, slotId, [...slotOf(state, slotId).media, item]),
    )
  }
}
