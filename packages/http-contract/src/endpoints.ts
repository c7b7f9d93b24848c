import { resources, type Resource } from '@publishing-service/domain'
import type { Endpoint, Method, ResourceOperation } from './endpoint.js'

const standard: Pick<Endpoint, 'body' | 'caching' | 'parameters'> = {
  body: 'none',
  caching: 'none',
  parameters: [],
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** The six operations of a resource (specification, Meaning of HTTP methods; decisions §4.8). */
const resourceEndpoints = (resource: Resource): readonly Endpoint[] => {
  const { collection, name } = resource
  const list = `/{iid}/${collection}`
  const object = `${list}/{uuid}`
  const endpoint = (
    operation: ResourceOperation,
    method: Method,
    path: string,
    summary: string,
    rest: Partial<Endpoint> & Pick<Endpoint, 'permission'>,
  ): Endpoint => ({ ...standard, operation, method, path, summary, resource, ...rest })
  const may = (action: 'read' | 'create' | 'update' | 'remove') => ({
    permission: { subject: collection, action },
  })
  const noun = `${article(name)} ${name}`
  return [
    endpoint('listObjects', 'GET', list, `List ${collection}`, { ...may('read'), caching: 'object' }),
    endpoint('createObject', 'POST', list, `Create ${noun} under a new UUID`, {
      ...may('create'),
      body: 'object',
    }),
    endpoint('readObject', 'GET', object, `Read ${noun}`, { ...may('read'), caching: 'object' }),
    endpoint('replaceObject', 'PUT', object, `Create or replace ${noun}`, {
      ...may('update'),
      body: 'object',
    }),
    endpoint('changeObject', 'PATCH', object, `Change attributes of ${noun}`, {
      ...may('update'),
      body: 'object',
    }),
    endpoint('removeObject', 'DELETE', object, `Delete ${noun}`, may('remove')),
  ]
}

const readContent = { permission: { subject: 'content', action: 'read' }, caching: 'object' } as const
const updateContent = { permission: { subject: 'content', action: 'update' } } as const
const writeContent = { ...updateContent, body: 'object' } as const

const slotPath = '/{iid}/content/{uuid}/slots/{slot_uuid}'
const oldMediaPath = '/{iid}/content/{uuid}/media'

const contentEndpoints: readonly Endpoint[] = [
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

const fileEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    operation: 'uploadFile',
    method: 'POST',
    path: '/{iid}/files/{uuid}',
    summary: 'Upload the data of a file',
    permission: { subject: 'files', action: 'update' },
    body: 'data',
  },
  {
    ...standard,
    operation: 'downloadFile',
    method: 'GET',
    path: '/{iid}/files/{uuid}/download/{upload}',
    summary: 'Download the data of a file',
    permission: { subject: 'files', action: 'read' },
    caching: 'download',
    parameters: [
      { name: 'w', description: 'Maximum width in pixels, 1 to 10000; images only.' },
      { name: 'h', description: 'Maximum height in pixels, 1 to 10000; images only.' },
    ],
  },
]

const readSettings = { permission: { subject: 'settings', action: 'read' }, caching: 'settings' } as const

const instanceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    operation: 'listCollections',
    method: 'GET',
    path: '/{iid}',
    summary: 'List the collections that the caller may read',
    permission: { subject: 'instance', action: 'read' },
    caching: 'object',
  },
  {
    ...standard,
    ...readSettings,
    operation: 'readSettings',
    method: 'GET',
    path: '/{iid}/settings',
    summary: 'Read the settings',
  },
  {
    ...standard,
    operation: 'changeSettings',
    method: 'PATCH',
    path: '/{iid}/settings',
    summary: 'Change settings',
    permission: { subject: 'settings', action: 'update' },
    body: 'object',
  },
  {
    ...standard,
    ...readSettings,
    operation: 'readSetting',
    method: 'GET',
    path: '/{iid}/settings/{name}',
    summary: 'Read one setting',
  },
]

const serviceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    permission: null,
    operation: 'exchangeToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Exchange a key for an access token',
    body: 'form',
  },
  {
    ...standard,
    permission: null,
    operation: 'readLiveness',
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the process runs',
  },
  {
    ...standard,
    permission: null,
    operation: 'readReadiness',
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can serve',
  },
  {
    ...standard,
    permission: null,
    operation: 'readErrorReference',
    method: 'GET',
    path: '/docs/errors',
    summary: 'What each error code means',
  },
]

/** Every endpoint of the service. */
export const endpoints: readonly Endpoint[] = [
  ...serviceEndpoints,
  ...instanceEndpoints,
  ...resources.flatMap(resourceEndpoints),
  ...contentEndpoints,
  ...fileEndpoints,
]
