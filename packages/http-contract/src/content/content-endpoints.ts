import { mostWaitingComments, slotLimits } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/roles'
import type { DeploymentFacts } from '../deployment-facts.js'
import { instanceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import {
  deleted,
  draftSlotWritten,
  includingItemsOf,
  itemsOf,
  mediaWritten,
  objectOf,
  slotWritten,
  visitorCommentReceived,
} from '../response.js'
import { contentInfoShape, mediumShapeOn, slotShape, visitorCommentShape } from '../endpoints/shapes.js'

/** Content, or its draft, with the operations on its parts. */
const published = {
  path: '/{iid}/content/{uuid}',
  of: '',
  caching: 'object',
  list: operations.listSlots,
  read: operations.readSlot,
  replace: operations.replaceSlot,
  change: operations.changeSlot,
  remove: operations.removeSlot,
  listMedia: operations.listMedia,
  replaceMedia: operations.replaceMedia,
  addMedium: operations.addMedium,
  written: slotWritten,
} as const

const draft = {
  path: '/{iid}/content/{uuid}/draft',
  of: ' of the draft',
  caching: 'unstored',
  list: operations.listDraftSlots,
  read: operations.readDraftSlot,
  replace: operations.replaceDraftSlot,
  change: operations.changeDraftSlot,
  remove: operations.removeDraftSlot,
  listMedia: operations.listDraftMedia,
  replaceMedia: operations.replaceDraftMedia,
  addMedium: operations.addDraftMedium,
  written: draftSlotWritten,
} as const

type Whole = typeof published | typeof draft

/** `readSlot`, or `readDraftSlot`. */
const idIn = ({ of }: Pick<Whole, 'of'>, id: string): string =>
  of === '' ? id : id.replace(/[A-Z]/, (letter) => `Draft${letter}`)

const slotAddress = ({ path }: { readonly path: { readonly uuid: string; readonly slot_uuid: string } }) => ({
  contentId: path.uuid,
  slotId: path.slot_uuid,
})

const slotsOf = (whole: Whole) => {
  const { caching, of } = whole
  const list = `${whole.path}/slots` as const
  const one = `${list}/{slot_uuid}` as const
  return {
    listSlots: instanceEndpoint({
      operation: whole.list,
      id: idIn(whole, 'listSlots'),
      method: 'GET',
      path: list,
      summary: `List the slots in the body${of}`,
      description:
        'In the order of their tags in the body, with the defaults if a slot was never configured. `display` is left out if it is not set.',
      caching,
      body: 'none',
      input: ({ path }) => ({ contentId: path.uuid }),
      response: itemsOf({ _tag: 'Items', name: 'Slots', of: slotShape, sparse: ['display'] }),
    }),
    readSlot: instanceEndpoint({
      operation: whole.read,
      id: idIn(whole, 'readSlot'),
      method: 'GET',
      path: one,
      summary: `Read a slot${of}`,
      description: 'A slot exists while its tag is in the body.',
      caching,
      body: 'none',
      input: slotAddress,
      response: objectOf(slotShape),
    }),
    replaceSlot: instanceEndpoint({
      operation: whole.replace,
      id: idIn(whole, 'replaceSlot'),
      method: 'PUT',
      path: one,
      summary: `Configure a slot of the body${of}`,
      description: 'Its tag must be in the body: add it first, with a PATCH of `content`.',
      body: 'object',
      requestPayload: { _tag: 'Object', of: slotShape },
      input: ({ path, body }) => ({ ...slotAddress({ path }), body }),
      response: whole.written,
    }),
    changeSlot: instanceEndpoint({
      operation: whole.change,
      id: idIn(whole, 'changeSlot'),
      method: 'PATCH',
      path: one,
      summary: `Change the settings of a slot${of}`,
      description: 'Changes only the attributes that are sent; null clears an attribute.',
      body: 'object',
      requestPayload: { _tag: 'Object', of: slotShape },
      input: ({ path, body }) => ({ ...slotAddress({ path }), body }),
      response: whole.written,
    }),
    removeSlot: instanceEndpoint({
      operation: whole.remove,
      id: idIn(whole, 'removeSlot'),
      method: 'DELETE',
      path: one,
      summary: `Delete the settings and media of a slot${of}`,
      description: 'Its tag stays in the body, so the slot has its defaults and no media afterwards.',
      body: 'none',
      input: slotAddress,
      response: deleted,
    }),
  }
}

const slotMediaOf = (whole: Whole, medium: NamedShape) => {
  const { caching, of } = whole
  const path = `${whole.path}/slots/{slot_uuid}/media` as const
  const list = { _tag: 'Items', name: 'SlotMedia', of: medium, most: slotLimits.media } as const
  return {
    listSlotMedia: instanceEndpoint({
      operation: whole.listMedia,
      id: idIn(whole, 'listSlotMedia'),
      method: 'GET',
      path,
      summary: `List the media of a slot${of}`,
      description: 'In their order, with all attributes of their type.',
      caching,
      body: 'none',
      input: ({ path: address, query }) => ({ ...slotAddress({ path: address }), parameters: query }),
      response: includingItemsOf(list),
    }),
    replaceSlotMedia: instanceEndpoint({
      operation: whole.replaceMedia,
      id: idIn(whole, 'replaceSlotMedia'),
      method: 'PUT',
      path,
      summary: `Replace the media of a slot${of}`,
      description: 'The whole list, in its order.',
      body: 'object',
      requestPayload: list,
      input: (request) => ({ ...slotAddress(request), body: request.body }),
      response: mediaWritten('media updated'),
    }),
    addSlotMedium: instanceEndpoint({
      operation: whole.addMedium,
      id: idIn(whole, 'addSlotMedium'),
      method: 'POST',
      path,
      summary: `Add a medium to a slot${of}`,
      description: 'It is added at the end.',
      body: 'object',
      requestPayload: { _tag: 'Object', of: medium },
      input: (request) => ({ ...slotAddress(request), body: request.body }),
      response: mediaWritten('media added'),
    }),
  }
}

/** The single list of media, from before there were slots. */
const contentMedia = (of: NamedShape) => {
  const common = { path: '/{iid}/content/{uuid}/media', deprecated: true } as const
  const list = { _tag: 'Items', name: 'ContentMedia', of } as const
  return {
    listContentMedia: instanceEndpoint({
      ...common,
      operation: operations.listMedia,
      id: 'listContentMedia',
      method: 'GET',
      summary: 'List the media of the content',
      description:
        'In their order, with all attributes of their type. Those of the slots in the body come first. Deprecated: use the media of slots.',
      caching: 'object',
      body: 'none',
      input: ({ path, query }) => ({ contentId: path.uuid, slotId: null, parameters: query }),
      response: includingItemsOf(list),
    }),
    replaceContentMedia: instanceEndpoint({
      ...common,
      operation: operations.replaceMedia,
      id: 'replaceContentMedia',
      method: 'PUT',
      summary: 'Replace the media of the content',
      description:
        'The whole list, in its order. Items with the `slot_uuid` of a slot in the body are ignored: only media that were added here are replaced. Deprecated: use the media of slots.',
      body: 'object',
      requestPayload: list,
      input: ({ path, body }) => ({ contentId: path.uuid, slotId: null, body }),
      response: mediaWritten('media updated'),
    }),
    addContentMedium: instanceEndpoint({
      ...common,
      operation: operations.addMedium,
      id: 'addContentMedium',
      method: 'POST',
      summary: 'Add a medium to the content',
      description: 'It is added at the end. Deprecated: use the media of slots.',
      body: 'object',
      requestPayload: { _tag: 'Object', of },
      input: ({ path, body }) => ({ contentId: path.uuid, slotId: null, body }),
      response: mediaWritten('media added'),
    }),
  }
}

/** The endpoints of content in addition to those of every resource. */
export const contentEndpointsOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>) => ({
  readContentInfo: instanceEndpoint({
    operation: operations.readContentInfo,
    id: 'readContentInfo',
    method: 'GET',
    path: '/{iid}/content/{uuid}/info',
    summary: 'Read the public address',
    description: 'The address of its page on the website, from the urlnames of its sections and its own.',
    caching: 'object',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(contentInfoShape),
  }),
  sendVisitorComment: instanceEndpoint({
    operation: operations.sendVisitorComment,
    id: 'sendVisitorComment',
    method: 'POST',
    path: '/{iid}/content/{uuid}/visitor_comments',
    summary: 'Send the comment of a visitor',
    description: `Creates a comment as a draft, which an editor can publish; 403 unless the setting \`public_comments\` is on. Each address has a limit of requests without a token. 429 also while ${mostWaitingComments.ofInstance} comments of the instance wait for an editor, ${mostWaitingComments.onContent} on the content object, or ${mostWaitingComments.ofSender} of the sender. A comment with \`website\` is discarded, with the same response.`,
    ratePolicy: 'comments',
    body: 'object',
    requestPayload: { _tag: 'Object', of: visitorCommentShape },
    input: ({ path, body }) => ({ id: path.uuid, body }),
    response: visitorCommentReceived,
  }),
  ...slotsOf(published),
  ...slotMediaOf(published, mediumShapeOn(facts)),
  ...contentMedia(mediumShapeOn(facts)),
})

/** The endpoints of the slots of drafts of content. */
export const draftSlotEndpointsOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>) => ({
  ...slotsOf(draft),
  ...slotMediaOf(draft, mediumShapeOn(facts)),
})
