/**
 * The parts of drafts of content: slots with their media, and related links. Each operation is that on the content, in a
 * session in which the draft takes its place.
 */
import { content } from '@publishing-service/domain'
import { operations, type OperationAccess, type ReadAction } from '@publishing-service/domain/access'
import { addRelatedLink, readRelatedLinks, replaceRelatedLinks } from '../content/related-links.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { addMedium, listMedia, replaceMedia } from '../slots/slot-media.js'
import { changeSlot, listSlots, readSlot, removeSlot, replaceSlot } from '../slots/slots.js'
import { requireDraft } from './drafts.js'
import { stateWithDraft } from './stored-drafts.js'
import { changingDrafts } from './update-draft.js'

type Part = { readonly contentId: string } | { readonly id: string }

const idOf = (part: Part): string => ('id' in part ? part.id : part.contentId)

const reading = <Input extends Part, Output>(
  access: OperationAccess<ReadAction>,
  { run }: ReadOperation<Input, Output>,
): ReadOperation<Input, Output> => ({
  ...access,
  run: async (session, input) => {
    const { documents } = session
    const { object, draft } = await requireDraft(session, content, idOf(input))
    documents.show(content.collection, {
      ...object,
      value: stateWithDraft(documents, content, object, draft),
    })
    return run(session.onDraft(null), input)
  },
})

const writing = <Input extends Part, Output>(
  access: Omit<WriteOperation<Input, Output>, 'run' | 'changed'>,
  { run, changed }: WriteOperation<Input, Output>,
): WriteOperation<Input, Output> => ({
  ...access,
  changed,
  run: (session, input) => run(session.onDraft(changingDrafts(session, content)), input),
})

export const listDraftSlots = reading(operations.listDraftSlots, listSlots)
export const readDraftSlot = reading(operations.readDraftSlot, readSlot)
export const replaceDraftSlot = writing(operations.replaceDraftSlot, replaceSlot)
export const changeDraftSlot = writing(operations.changeDraftSlot, changeSlot)
export const removeDraftSlot = writing(operations.removeDraftSlot, removeSlot)
export const listDraftMedia = reading(operations.listDraftMedia, listMedia)
export const replaceDraftMedia = writing(operations.replaceDraftMedia, replaceMedia)
export const addDraftMedium = writing(operations.addDraftMedium, addMedium)
export const readDraftRelatedLinks = reading(operations.readDraftRelatedLinks, readRelatedLinks)
export const replaceDraftRelatedLinks = writing(operations.replaceDraftRelatedLinks, replaceRelatedLinks)
export const addDraftRelatedLink = writing(operations.addDraftRelatedLink, addRelatedLink)
