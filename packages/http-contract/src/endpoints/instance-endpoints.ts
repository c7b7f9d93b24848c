import { instanceIndex } from '@publishing-service/domain'
import {
  changeSettings,
  listCollections,
  readSetting,
  readSettings,
  replaceSettings,
} from '@publishing-service/application'
import { jsonObject, noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { objectOf, rowsOf, settingsWritten, valueOf } from '../response.js'
import { settingsShape } from './shapes.js'

/**
 * The instance itself: its collections and settings (docs/behaviour/instance.md#collections,
 * docs/behaviour/instance.md#settings).
 */
export const instanceEndpoints: readonly Endpoint[] = [
  operationEndpoint({
    operation: listCollections,
    id: 'listCollections',
    method: 'GET',
    path: '/{iid}',
    summary: 'List the collections that the caller may read',
    description: 'The collections at the top of an instance, as rows of their addresses and names.',
    caching: 'object',
    body: noBody,
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceIndex),
  }),
  operationEndpoint({
    operation: readSettings,
    id: 'readSettings',
    method: 'GET',
    path: '/{iid}/settings',
    summary: 'Read the settings',
    description: 'All settings of an instance, its time zone among them.',
    caching: 'settings',
    body: noBody,
    input: () => ({}),
    response: objectOf(settingsShape),
  }),
  operationEndpoint({
    operation: replaceSettings,
    id: 'replaceSettings',
    method: 'PUT',
    path: '/{iid}/settings',
    summary: 'Replace the settings',
    description: 'A setting that is not sent, or is null, goes back to its default.',
    body: jsonObject,
    takes: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: settingsWritten,
  }),
  operationEndpoint({
    operation: changeSettings,
    id: 'changeSettings',
    method: 'PATCH',
    path: '/{iid}/settings',
    summary: 'Change settings',
    description:
      'Changes only what is sent. Date-times that are stored stay as they are when the zone changes.',
    body: jsonObject,
    takes: { _tag: 'Object', of: settingsShape },
    input: ({ body }) => ({ body }),
    response: settingsWritten,
  }),
  operationEndpoint({
    operation: readSetting,
    id: 'readSetting',
    method: 'GET',
    path: '/{iid}/settings/{name}',
    summary: 'Read one setting',
    description:
      'The value alone: `/{iid}/settings/timezone` answers a JSON string with the name of the zone.',
    caching: 'settings',
    body: noBody,
    input: ({ path }) => ({ name: path.name }),
    response: valueOf(settingsShape),
  }),
]
