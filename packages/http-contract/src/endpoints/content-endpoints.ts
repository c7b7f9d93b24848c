import { slotLimits } from '@publishing-service/domain'
import type { DeploymentFacts } from '../deployment-facts.js'
import type { Endpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, mediaWritten, slotWritten } from './fixed-answers.js'
import { contentInfoShape, mediumShapeOn, slotShape } from './shapes.js'
import { standard } from './standard.js'

const readContent = { permission: { subject: 'content', action: 'read' }, caching: 'object' } as const
const updateContent = { permission: { subject: 'content', action: 'update' } } as const
const writeContent = { ...updateContent, body: 'object' } as const

const slotPath = '/{iid}/content/{uuid}/slots/{slot_uuid}'

const slots: readonly Endpoint[] = [
  {
    ...standard,
    ...readContent,
    operation: 'listSlots',
    id: 'listSlots',
    method: 'GET',
    path: '/{iid}/content/{uuid}/slots',
    summary: 'List the slots in the body',
    description:
      'In the order of their tags in the body, with the defaults where a slot was never configured. `display` is left out where it isn’t set.',
    gives: { _tag: 'Items', name: 'Slots', of: slotShape, sparse: ['display'] },
  },
  {
    ...standard,
    ...readContent,
    operation: 'readSlot',
    id: 'readSlot',
    method: 'GET',
    path: slotPath,
    summary: 'Read a slot',
    description: 'A slot is there as long as its tag stands in the body.',
    gives: { _tag: 'Object', of: slotShape },
  },
  {
    ...standard,
    ...writeContent,
    operation: 'putSlot',
    id: 'replaceSlot',
    method: 'PUT',
    path: slotPath,
    summary: 'Configure a slot that the body places',
    description: 'Its tag has to stand in the body: place it there first, by a PATCH of `content`.',
    takes: { _tag: 'Object', of: slotShape },
    gives: slotWritten,
  },
  {
    ...standard,
    ...writeContent,
    operation: 'changeSlot',
    id: 'changeSlot',
    method: 'PATCH',
    path: slotPath,
    summary: 'Change the settings of a slot',
    description: 'Changes only what is sent; null clears an attribute.',
    takes: { _tag: 'Object', of: slotShape },
    gives: slotWritten,
  },
  {
    ...standard,
    ...updateContent,
    operation: 'removeSlot',
    id: 'removeSlot',
    method: 'DELETE',
    path: slotPath,
    summary: 'Forget a slot’s settings and media',
    description: 'Its tag stays in the body, so the slot reads with its defaults and without media.',
    gives: deleted,
  },
]

/** The media of one slot, or the single list that content had before there were slots. */
const mediaEndpoints = (mediumShape: NamedShape, old: boolean): readonly Endpoint[] => {
  const common = {
    ...standard,
    path: old ? '/{iid}/content/{uuid}/media' : `${slotPath}/media`,
    ...(old ? { deprecated: '2.12' } : {}),
  }
  const prefix = old ? 'Content' : 'Slot'
  const whose = old ? 'of the content' : 'of a slot'
  const where = old ? ' Deprecated: use the media of slots.' : ''
  const ignored = old
    ? ' Items of slots in the body, by their `slot_uuid`, are ignored: only what was added here is replaced.'
    : ''
  const list = {
    _tag: 'Items',
    name: `${prefix}Media`,
    of: mediumShape,
    ...(old ? {} : { most: slotLimits.media }),
  } as const
  return [
    {
      ...common,
      ...readContent,
      operation: 'listMedia',
      id: `list${prefix}Media`,
      method: 'GET',
      summary: `List the media ${whose}`,
      description: `In their order, with all attributes of their type.${old ? ' Those of the slots in the body come first.' : ''}${where}`,
      gives: list,
    },
    {
      ...common,
      ...writeContent,
      operation: 'replaceMedia',
      id: `replace${prefix}Media`,
      method: 'PUT',
      summary: `Replace the media ${whose}`,
      description: `The whole list, in its order.${ignored}${where}`,
      takes: list,
      gives: mediaWritten,
    },
    {
      ...common,
      ...writeContent,
      operation: 'addMedium',
      id: `add${prefix}Medium`,
      method: 'POST',
      summary: old ? 'Add a medium to the content' : 'Add a medium to a slot',
      description: `Behind the others.${where}`,
      takes: { _tag: 'Object', of: mediumShape },
      gives: mediaWritten,
    },
  ]
}

/** What content has beside the operations of every resource. */
export const contentEndpointsOn = (facts: Pick<DeploymentFacts, 'streamingHosts'>): readonly Endpoint[] => [
  {
    ...standard,
    ...readContent,
    operation: 'readContentInfo',
    id: 'readContentInfo',
    method: 'GET',
    path: '/{iid}/content/{uuid}/info',
    summary: 'Read the public address',
    description: 'Where the object is on the website: the names of its sections and its own.',
    gives: { _tag: 'Object', of: contentInfoShape },
  },
  ...slots,
  ...mediaEndpoints(mediumShapeOn(facts), false),
  ...mediaEndpoints(mediumShapeOn(facts), true),
]
