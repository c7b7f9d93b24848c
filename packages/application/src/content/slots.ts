import { content, notFound, viewOf, type WriteMode } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  clearSlot,
  configureSlot,
  isPlaced,
  isReadable,
  placedSlots,
  slot,
  slotState,
} from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/roles'
import { accepted, fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import { changePart } from '../engine/change-part.js'
import { findVisible } from '../engine/read-one.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'

/** The address of one slot of one content object. */
type SlotAddress = { readonly contentId: string; readonly slotId: string }

type SlotWrite = SlotAddress & { readonly body: JsonObject }

const showSlot = (session: Session, { contentId, slotId }: SlotAddress, state: JsonObject): JsonObject =>
  viewOf(slot, slotState(state, slotId), new SessionView(session, contentId))

/**
 * A listing leaves `display` out where it isn’t set; a single slot reads with null
 * (docs/behaviour/slots-and-media.md#placement).
 */
const slotRow = ({ display, ...rest }: JsonObject): JsonObject =>
  display === null || display === undefined ? rest : { ...rest, display }

/** The slots whose tags are in the body, in its order (docs/behaviour/slots-and-media.md#placement). */
export const listSlots: ReadOperation<{ readonly contentId: string }, readonly JsonObject[]> = {
  ...operations.listSlots,
  run: async (session, { contentId }) => {
    const { value } = await findVisible(session, content, contentId)
    return placedSlots(value).map((slotId) => slotRow(showSlot(session, { contentId, slotId }, value)))
  },
}

/** One slot; NotFound if neither its tag is in the body nor its media are in the deprecated list. */
export const readSlot: ReadOperation<SlotAddress, JsonObject> = {
  ...operations.readSlot,
  run: async (session, address) => {
    const { value } = await findVisible(session, content, address.contentId)
    if (!isReadable(value, address.contentId, address.slotId)) fail(notFound)
    return showSlot(session, address, value)
  },
}

const writeSlot = (session: Session, mode: WriteMode, { body, ...address }: SlotWrite): Promise<void> => {
  const context = valueContextOf(session)
  return changePart(session, content, address.contentId, {
    show: async (state) => (isPlaced(state, address.slotId) ? showSlot(session, address, state) : null),
    change: async (state) => accepted(configureSlot(state, address.slotId, mode, body, context)),
  })
}

/** Configures a slot that the body places. */
export const replaceSlot: WriteOperation<SlotWrite, void> = {
  ...operations.replaceSlot,
  changed: ({ contentId }) => ({ object: contentId }),
  run: (session, write) => writeSlot(session, 'put', write),
}

/** Changes the settings that are sent. */
export const changeSlot: WriteOperation<SlotWrite, void> = {
  ...operations.changeSlot,
  changed: ({ contentId }) => ({ object: contentId }),
  run: (session, write) => writeSlot(session, 'patch', write),
}

const requirePlaced = (state: JsonObject, { slotId }: SlotAddress): void => {
  if (!isPlaced(state, slotId)) fail(notFound)
}

/** Removes the settings and media of a slot; its tag stays in the body. */
export const removeSlot: WriteOperation<SlotAddress, void> = {
  ...operations.removeSlot,
  changed: ({ contentId }) => ({ object: contentId }),
  run: (session, address) =>
    changePart(session, content, address.contentId, {
      show: async (state) => {
        requirePlaced(state, address)
        return showSlot(session, address, state)
      },
      change: async (state) => {
        requirePlaced(state, address)
        return clearSlot(state, address.slotId)
      },
    }),
}
