import { instanceAuditRows, instanceIndex, operations } from '@publishing-service/domain/access'
import { instanceEndpoint } from '../endpoint.js'
import { objectOf, rowsOf, settingsWritten, valueOf } from '../response.js'
import { settingsShape } from './shapes.js'

/**
 * The instance itself: its collections and settings (docs/behaviour/instance.md#collections,
 * docs/behaviour/instance.md#settings).
 */
export const instanceEndpoints = {
  listCollections: instanceEndpoint({
    operation: operations.listCollections,
    id: 'listCollections',
    method: 'GET',
    path: '/{iid}',
    summary: 'List the collections that the caller may read',
    description: 'The collections of an instance, as rows of their addresses and names.',
    caching: 'object',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceIndex),
  }),
  readSettings: instanceEndpoint({
    operation: operations.readSettings,
    id: 'readSettings',
    method: 'GET',
    path: '/{iid}/settings',
    summary: 'Read the settings',
    description: 'All settings of an instance, including its time zone.',
    caching: 'settings',
    body: 'none',
    input: () => ({}),
    response: objectOf(settingsShape),
  }),
  replaceSettings: instanceEndpoint({
    operation: operations.replaceSettings,
    id: 'replaceSettings',
    method: 'PUT',
    path: '/{iid}/settings',
    summary: 'Replace the settings',
    description: 'A setting that is not sent, or is null, is reset to its default.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: settingsWritten,
  }),
  changeSettings: instanceEndpoint({
    operation: operations.changeSettings,
    id: 'changeSettings',
    method: 'PATCH',
    path: '/{iid}/settings',
    summary: 'Change settings',
    description: 'Changes only the settings that are sent. Stored date-times do not change with the zone.',
    body: 'object',
    requestPayload: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: settingsWritten,
  }),
  readSetting: instanceEndpoint({
    operation: operations.readSetting,
    id: 'readSetting',
    method: 'GET',
    path: '/{iid}/settings/{name}',
    summary: 'Read one setting',
    description:
      'Only the value: `/{iid}/settings/timezone` returns a JSON string with the name of the zone.',
    caching: 'settings',
    body: 'none',
    input: ({ path }) => ({ name: path.name }),
    response: valueOf(settingsShape),
  }),
  listInstanceAudit: instanceEndpoint({
    operation: operations.listInstanceAudit,
    id: 'listInstanceAudit',
    method: 'GET',
    path: '/{iid}/audit',
    summary: 'Read the audit log of an instance',
    description: 'Who changed what, and when: the newest entries first. Entries are kept for 400 days.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceAuditRows),
  }),
}
