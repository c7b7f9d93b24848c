import { slotLimits } from '@publishing-service/domain/content'
import { operations } from '@publishing-service/domain/access'
import type { DeploymentFacts } from '../deployment-facts.js'
import { instanceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, itemsOf, mediaWritten, objectOf, slotWritten } from '../response.js'
import { contentInfoShape, mediumShapeOn, slotShape } from './shapes.js'

const slotPath = '/{iid}/content/{uuid}/slots/{slot_uuid}'

const slotAddress = ({ path }: { readonly path: { readonly uuid: string; readonly slot_uuid: string } }) => ({
  contentId: path.uuid,
  slotId: path.slot_uuid,
})

const slots = {
  listSlots: instanceEndpoint({
    operation: operations.listSlots,
    id: 'listSlots',
    method: 'GET',
    path: '/{iid}/content/{uuid}/slots',
    summary: 'List the slots in the body',
    description:
      'In the order of their tags in the body, with the defaults if a slot was never configured. `display` is left out if it is not set.',
    caching: 'object',
    body: 'none',
    input: ({ path }) => ({ contentId: path.uuid }),
    response: itemsOf({ _tag: 'Items', name: 'Slots', of: slotShape, sparse: ['display'] }),
  }),
  readSlot: instanceEndpoint({
    operation: operations.readSlot,
    id: 'readSlot',
    method: 'GET',
    path: slotPath,
    summary: 'Read a slot',
    description: 'A slot exists while its tag is in the body.',
    caching: 'object',
    body: 'none',
    input: slotAddress,
    response: objectOf(slotShape),
  }),
  replaceSlot: instanceEndpoint({
    operation: operations.replaceSlot,
    id: 'replaceSlot',
    method: 'PUT',
    path: slotPath,
    summary: 'Configure a slot of the body',
    description: 'Its tag must be in the body: add it first, with a PATCH of `content`.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: slotShape },
    input: ({ path, body }) => ({ ...slotAddress({ path }), body }),
    response: slotWritten,
  }),
  changeSlot: instanceEndpoint({
    operation: operations.changeSlot,
    id: 'changeSlot',
    method: 'PATCH',
    path: slotPath,
    summary: 'Change the settings of a slot',
    description: 'Changes only the attributes that are sent; null clears an attribute.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: slotShape },
    input: ({ path, body }) => ({ ...slotAddress({ path }), body }),
    response: slotWritten,
  }),
  removeSlot: instanceEndpoint({
    operation: operations.removeSlot,
    id: 'removeSlot',
    method: 'DELETE',
    path: slotPath,
    summary: 'Delete the settings and media of a slot',
    description: 'Its tag stays in the body, so the slot has its defaults and no media afterwards.',
    body: 'none',
    input: slotAddress,
    response: deleted,
  }),
}

const slotMedia = (of: NamedShape) => {
  const path = `${slotPath}/media` as const
  const list = { _tag: 'Items', name: 'SlotMedia', of, most: slotLimits.media } as const
  return {
    listSlotMedia: instanceEndpoint({
      operation: operations.listMedia,
      id: 'listSlotMedia',
      method: 'GET',
      path,
      summary: 'List the media of a slot',
      description: 'In their order, with all attributes of their type.',
      caching: 'object',
      body: 'none',
      input: slotAddress,
      response: itemsOf(list),
    }),
    replaceSlotMedia: instanceEndpoint({
      operation: operations.replaceMedia,
      id: 'replaceSlotMedia',
      method: 'PUT',
      path,
      summary: 'Replace the media of a slot',
      description: 'The whole list, in its order.',
      body: 'object',
      requestPayload: list,
      input: (request) => ({ ...slotAddress(request), body: request.body }),
      response: mediaWritten('media updated'),
    }),
    addSlotMedium: instanceEndpoint({
      operation: operations.addMedium,
      id: 'addSlotMedium',
      method: 'POST',
      path,
      summary: 'Add a medium to a slot',
      description: 'It is added at the end.',
      body: 'object',
      requestPayload: { _tag: 'Object', of },
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
      input: ({ path }) => ({ contentId: path.uuid, slotId: null }),
      response: itemsOf(list),
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
  ...slots,
  ...slotMedia(mediumShapeOn(facts)),
  ...contentMedia(mediumShapeOn(facts)),
})
