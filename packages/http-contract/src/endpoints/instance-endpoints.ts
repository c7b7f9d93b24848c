import { instanceIndex } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

const readSettings = { permission: { subject: 'settings', action: 'read' }, caching: 'settings' } as const

/** The instance itself. */
export const instanceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    operation: 'listCollections',
    method: 'GET',
    path: '/{iid}',
    summary: 'List the collections that the caller may read',
    permission: { subject: 'instance', action: 'read' },
    caching: 'object',
    rows: instanceIndex,
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
