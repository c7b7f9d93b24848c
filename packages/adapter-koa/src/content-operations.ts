import { pipe, TE } from '@publishing-service/domain'
import type { MediaAddress, SlotAddress, UseCases } from '@publishing-service/application'
import { json } from './answer.js'
import type { Handlers } from './handlers.js'
import { parameter, preconditionIn, type InstanceRequest, type WireRequest } from './wire-request.js'

const slotAddress = (request: WireRequest): SlotAddress => ({
  contentId: parameter(request, 'uuid'),
  slotId: parameter(request, 'slot_uuid'),
})

const mediaAddress = (request: WireRequest): MediaAddress => ({
  contentId: parameter(request, 'uuid'),
  slotId: request.parameters['slot_uuid'] ?? null,
})

/** What content has beside the operations of every resource (specification, endpoint table; decisions §7, §8). */
export const contentOperations = (useCases: UseCases) =>
  ({
    readContentInfo: (request) =>
      pipe(useCases.contentInfo(request.caller, parameter(request, 'uuid')), TE.map(json)),
    listSlots: (request) =>
      pipe(
        useCases.listSlots(request.caller, parameter(request, 'uuid')),
        TE.map((items) => json({ items })),
      ),
    readSlot: (request) => pipe(useCases.readSlot(request.caller, slotAddress(request)), TE.map(json)),
    putSlot: (request) => writeSlot(useCases, request, 'put'),
    changeSlot: (request) => writeSlot(useCases, request, 'patch'),
    removeSlot: (request) =>
      pipe(
        useCases.removeSlot(request.caller, slotAddress(request), request.precondition),
        TE.map(() => json({ msg: 'deleted' })),
      ),
    listMedia: (request) =>
      pipe(
        useCases.listMedia(request.caller, mediaAddress(request)),
        TE.map((items) => json({ items })),
      ),
    replaceMedia: (request) =>
      pipe(
        useCases.replaceMedia(request.caller, mediaAddress(request), request.input, request.precondition),
        TE.map(() => json({ msg: 'media updated' })),
      ),
    addMedium: (request) =>
      pipe(
        useCases.addMedium(request.caller, mediaAddress(request), request.input, request.precondition),
        TE.map(() => json({ msg: 'media added' })),
      ),
  }) satisfies Partial<Handlers>

const writeSlot = (useCases: UseCases, request: InstanceRequest, mode: 'put' | 'patch') => {
  const { contentId, slotId } = slotAddress(request)
  const write = { mode, input: request.input, ...preconditionIn(request) }
  return pipe(
    useCases.writeSlot(request.caller, { contentId, slotId }, write),
    TE.map(() =>
      json({
        content_uuid: contentId,
        slot_uuid: slotId,
        url: request.caller.links.slot(contentId, slotId),
      }),
    ),
  )
}
