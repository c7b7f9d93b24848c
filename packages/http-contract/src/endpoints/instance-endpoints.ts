import { instanceIndex } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { settingsWritten } from './fixed-answers.js'
import { settingsShape } from './shapes.js'
import { standard } from './standard.js'

const readSettings = { permission: { subject: 'settings', action: 'read' }, caching: 'settings' } as const

/** The instance itself. */
export const instanceEndpoints: readonly Endpoint[] = [
  {
    ...standard,
    operation: 'listCollections',
    id: 'listCollections',
    method: 'GET',
    path: '/{iid}',
    summary: 'List the collections that the caller may read',
    description: 'The collections at the top of an instance, as rows of their addresses and names.',
    permission: { subject: 'instance', action: 'read' },
    caching: 'object',
    gives: { _tag: 'Rows', of: instanceIndex },
  },
  {
    ...standard,
    ...readSettings,
    operation: 'readSettings',
    id: 'readSettings',
    method: 'GET',
    path: '/{iid}/settings',
    summary: 'Read the settings',
    description: 'All settings of an instance, its time zone among them.',
    gives: { _tag: 'Object', of: settingsShape },
  },
  {
    ...standard,
    operation: 'replaceSettings',
    id: 'replaceSettings',
    method: 'PUT',
    path: '/{iid}/settings',
    summary: 'Replace the settings',
    description: 'A setting that is not sent, or is null, goes back to its default.',
    permission: { subject: 'settings', action: 'update' },
    body: 'object',
    takes: { _tag: 'Object', of: settingsShape },
    gives: settingsWritten,
  },
  {
    ...standard,
    operation: 'changeSettings',
    id: 'changeSettings',
    method: 'PATCH',
    path: '/{iid}/settings',
    summary: 'Change settings',
    description:
      'Changes only what is sent. Date-times that are stored stay as they are when the zone changes.',
    permission: { subject: 'settings', action: 'update' },
    body: 'object',
    takes: { _tag: 'Object', of: settingsShape },
    gives: settingsWritten,
  },
  {
    ...standard,
    ...readSettings,
    operation: 'readSetting',
    id: 'readSetting',
    method: 'GET',
    path: '/{iid}/settings/{name}',
    summary: 'Read one setting',
    description:
      'The value alone: `/{iid}/settings/timezone` answers a JSON string with the name of the zone.',
    gives: { _tag: 'Value', of: settingsShape },
  },
]
