/**
 * The parts of drafts: slots with their media, related links, tags and listing images. Each operation is that on the object,
 * in a session in which the draft takes its place.
 */
import { content, type Resource } from '@publishing-service/domain'
import type { MemberList } from '@publishing-service/domain/declare'
import { type OperationAccess, operations, type ReadAction } from '@publishing-service/domain/roles'
import { addRelatedLink, readRelatedLinks, replaceRelatedLinks } from '../content/related-links.js'
import { addMember, readMembers, replaceMembers } from '../tags/member-lists.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { addMedium, listMedia, replaceMedia } from '../content/slot-media.js'
import { changeSlot, listSlots, readSlot, removeSlot, replaceSlot } from '../content/slots.js'
import { taggingsOn } from '../tags/attach-tag.js'
import { taggableOf } from '../tags/find-taggable.js'
import { listTags } from '../tags/list-tags.js'
import { requireDraft } from './drafts.js'
import { stateWithDraft } from './stored-drafts.js'
import { changingDrafts } from './update-draft.js'

type Part = { readonly contentId: string } | { readonly objectId: string } | { readonly id: string }

const idOf = (part: Part): string => {
  if ('id' in part) return part.id
  return 'contentId' in part ? part.contentId : part.objectId
}

const reading = <Input extends Part, Output>(
  resource: Resource,
  access: OperationAccess<ReadAction>,
  run: ReadOperation<Input, Output>['run'],
): ReadOperation<Input, Output> => ({
  ...access,
  run: async (session, input, failWith) => {
    const { documents } = session
    const { object, draft } = await requireDraft(session, resource, idOf(input))
    documents.show(resource.collection, {
      ...object,
      value: stateWithDraft(documents, resource, object, draft),
    })
    return run(session.onDraft(resource, null), input, failWith)
  },
})

const writing = <Input extends Part, Output>(
  resource: Resource,
  access: Omit<WriteOperation<Input, Output>, 'run' | 'changed'>,
  run: WriteOperation<Input, Output>['run'],
): WriteOperation<Input, Output> => ({
  ...access,
  changed: (input) => ({ object: idOf(input) }),
  run: (session, input, failWith) => run(session.onDraft(resource, changingDrafts(session)), input, failWith),
})

export const listDraftSlots = reading(content, operations.listDraftSlots, listSlots.run)
export const readDraftSlot = reading(content, operations.readDraftSlot, readSlot.run)
export const replaceDraftSlot = writing(content, operations.replaceDraftSlot, replaceSlot.run)
export const changeDraftSlot = writing(content, operations.changeDraftSlot, changeSlot.run)
export const removeDraftSlot = writing(content, operations.removeDraftSlot, removeSlot.run)
export const listDraftMedia = reading(content, operations.listDraftMedia, listMedia.run)
export const replaceDraftMedia = writing(content, operations.replaceDraftMedia, replaceMedia.run)
export const addDraftMedium = writing(content, operations.addDraftMedium, addMedium.run)
export const readDraftRelatedLinks = reading(content, operations.readDraftRelatedLinks, readRelatedLinks.run)
export const replaceDraftRelatedLinks = writing(
  content,
  operations.replaceDraftRelatedLinks,
  replaceRelatedLinks.run,
)
export const addDraftRelatedLink = writing(content, operations.addDraftRelatedLink, addRelatedLink.run)

export const readDraftMembers = (list: MemberList) =>
  reading(list.resource, operations.readDraftMembers(list.resource.collection), readMembers(list).run)
export const replaceDraftMembers = (list: MemberList) =>
  writing(list.resource, operations.replaceDraftMembers(list.resource.collection), replaceMembers(list).run)
export const addDraftMember = (list: MemberList) =>
  writing(list.resource, operations.addDraftMember(list.resource.collection), addMember(list).run)

export const listDraftTags = (resource: Resource) =>
  reading(resource, operations.listDraftTags(resource.collection), listTags(resource).run)

const draftTaggings = (resource: Resource) => taggingsOn(taggableOf(resource))

export const readDraftTagging = (resource: Resource) =>
  reading(resource, operations.readDraftTagging(resource.collection), draftTaggings(resource).read)
export const attachDraftTag = (resource: Resource) =>
  writing(resource, operations.attachDraftTag(resource.collection), draftTaggings(resource).attach)
export const detachDraftTag = (resource: Resource) =>
  writing(resource, operations.detachDraftTag(resource.collection), draftTaggings(resource).detach)
