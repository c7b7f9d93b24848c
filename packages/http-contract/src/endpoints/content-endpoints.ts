import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

const readContent = { permission: { subject: 'content', action: 'read' }, caching: 'object' } as const
const updateContent = { permission: { subject: 'content', action: 'update' } } as const
const writeContent = { ...updateContent, body: 'object' } as const

const slotPath = '/{iid}/content/{uuid}/slots/{slot_uuid}'
const oldMediaPath = '/{iid}/content/{uuid}/media'

/** What content has beside the operations of every resource. */
export const contentEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    ...readContent,
    operation: 'readContentInfo',
    method: 'GET',
    path: '/{iid}/content/{uuid}/info',
    summary: 'Read the public address',
  },
  {
    ...standard,
    ...readContent,
    operation: 'listSlots',
    method: 'GET',
    path: '/{iid}/content/{uuid}/slots',
    summary: 'List the slots in the body',
  },
  {
    ...standard,
    ...readContent,
    operation: 'readSlot',
    method: 'GET',
    path: slotPath,
    summary: 'Read a slot',
  },
  {
    ...standard,
    ...writeContent,
    operation: 'putSlot',
    method: 'PUT',
    path: slotPath,
    summary: 'Configure a slot that the body places',
  },
  {
    ...standard,
    ...updateContent,
    operation: 'removeSlot',
    method: 'DELETE',
    path: slotPath,
    summary: 'Forget a slot’s settings and media',
  },
  ...([`${slotPath}/media`, oldMediaPath] as const).flatMap((path): readonly Endpoint[] => {
    const deprecated = path === oldMediaPath ? { deprecated: '2.12' } : {}
    const whose = path === oldMediaPath ? 'of all slots' : 'of a slot'
    return [
      {
        ...standard,
        ...readContent,
        ...deprecated,
        operation: 'listMedia',
        method: 'GET',
        path,
        summary: `List the media ${whose}`,
      },
      {
        ...standard,
        ...writeContent,
        ...deprecated,
        operation: 'replaceMedia',
        method: 'PUT',
        path,
        summary: `Replace the media ${whose}`,
      },
      {
        ...standard,
        ...writeContent,
        ...deprecated,
        operation: 'addMedium',
        method: 'POST',
        path,
        summary: 'Add a medium behind the others',
      },
    ]
  }),
]
