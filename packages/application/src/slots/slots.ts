import {
  badParameters,
  clearSlot,
  configureSlot,
  content,
  E,
  isPlaced,
  isReadable,
  notFound,
  pipe,
  placedSlots,
  slot,
  slotState,
  TE,
  viewOf,
  type JsonObject,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewBy, type Caller } from '../caller.js'
import type { Outcome } from '../failure.js'
import { permits, type Precondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { writableBy, type UpdateDocument } from '../objects/update-document.js'
import type { WriteRequest } from '../objects/write-object.js'
import type { Deployment } from '../ports.js'

/** Names one slot of one content object. */
export type SlotAddress = { readonly contentId: string; readonly slotId: string }

const showSlot = (caller: Caller, contentId: string, state: JsonObject, slotId: string): JsonObject =>
  viewOf(slot, slotState(state, slotId), viewBy(caller, contentId))

/** A listing leaves `display` out where it isn’t set; a single slot reads with null (specification, Media slot). */
const listed = ({ display, ...rest }: JsonObject): JsonObject =>
  display === null || display === undefined ? rest : { ...rest, display }

/** The slots whose tags stand in the body, in its order (specification, endpoint table; decisions §8). */
export const listSlots =
  (documents: DocumentStore) =>
  (caller: Caller, contentId: string): Outcome<readonly JsonObject[]> =>
    pipe(
      findVisible(documents)(content, caller, contentId),
      TE.map(({ value }) =>
        placedSlots(value).map((slotId) => listed(showSlot(caller, contentId, value, slotId))),
      ),
    )

/** One slot; NotFound where neither its tag is in the body nor the deprecated list holds its media. */
export const readSlot =
  (documents: DocumentStore) =>
  (caller: Caller, { contentId, slotId }: SlotAddress): Outcome<JsonObject> =>
    pipe(
      findVisible(documents)(content, caller, contentId),
      TE.chainEitherKW(({ value }) =>
        isReadable(value, contentId, slotId)
          ? E.right(showSlot(caller, contentId, value, slotId))
          : E.left(notFound),
      ),
    )

const current = (caller: Caller, { contentId, slotId }: SlotAddress, state: JsonObject): JsonObject | null =>
  isPlaced(state, slotId) ? showSlot(caller, contentId, state, slotId) : null

/** Configures a slot that the body places. */
export const writeSlot =
  (update: UpdateDocument, deployment: Deployment) =>
  (
    caller: Caller,
    address: SlotAddress,
    { mode, input, precondition }: Omit<WriteRequest, 'id'>,
  ): Outcome<void> =>
    pipe(
      update(writableBy(content, caller), address.contentId, (state) =>
        pipe(
          TE.fromEither(permits(precondition, current(caller, address, state))),
          TE.chainW(() =>
            pipe(
              configureSlot(
                state,
                address.slotId,
                mode,
                input,
                valueContextOf(caller, deployment.streamingHosts),
              ),
              TE.fromEither,
              TE.mapLeft(badParameters),
            ),
          ),
        ),
      ),
      TE.map(() => undefined),
    )

/** Forgets what was configured and put into a slot; its tag stays in the body. */
export const removeSlot =
  (update: UpdateDocument) =>
  (caller: Caller, address: SlotAddress, precondition?: Precondition): Outcome<void> =>
    pipe(
      update(writableBy(content, caller), address.contentId, (state) =>
        isPlaced(state, address.slotId)
          ? pipe(
              TE.fromEither(permits(precondition, current(caller, address, state))),
              TE.map(() => clearSlot(state, address.slotId)),
            )
          : TE.left(notFound),
      ),
      TE.map(() => undefined),
    )
