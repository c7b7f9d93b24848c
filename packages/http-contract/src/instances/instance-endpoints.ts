import { instanceAuditRows, personRows, trashRows } from '@publishing-service/access'
import { instanceIndex, operations } from '@publishing-service/domain/roles'
import { listedMissShape, mostMissedListed } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { deleted, itemsOf, objectOf, restored, rowsOf, settingsWritten, valueOf } from '../response.js'
import { settingsShape } from '../endpoints/shapes.js'

const missed = itemsOf({
  _tag: 'Items',
  name: 'MissedPublications',
  of: {
    name: 'MissedPublication',
    description: 'A draft that was not published at its time.',
    shape: listedMissShape,
  },
})

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
  listMissedPublications: instanceEndpoint({
    operation: operations.listMissedPublications,
    id: 'listMissedPublications',
    method: 'GET',
    path: '/{iid}/missed_publications',
    summary: 'List missed publications',
    description: `The drafts that were not published at their time, of the objects that the caller may change: the last ${mostMissedListed}, the latest first. One ends with its draft, and with another time of publication.`,
    body: 'none',
    input: () => null,
    response: missed,
  }),
  listTrash: instanceEndpoint({
    operation: operations.listTrash,
    id: 'listTrash',
    method: 'GET',
    path: '/{iid}/trash',
    summary: 'List the trash',
    description: 'The deleted objects that can be restored: those that were deleted last first.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(trashRows),
  }),
  restoreFromTrash: instanceEndpoint({
    operation: operations.restoreFromTrash,
    id: 'restoreFromTrash',
    method: 'POST',
    path: '/{iid}/trash/{collection}/{uuid}/restore',
    summary: 'Restore a deleted object',
    description:
      'Writes its last state again, under its UUID. What refers to it, refers to it again. The role for the creation of such an object and all rules of a write apply.',
    body: 'none',
    input: ({ path: { collection, uuid } }) => ({ collection, id: uuid }),
    response: restored,
  }),
  removeFromTrash: instanceEndpoint({
    operation: operations.removeFromTrash,
    id: 'removeFromTrash',
    method: 'DELETE',
    path: '/{iid}/trash/{collection}/{uuid}',
    summary: 'Delete an object for good',
    description:
      'Its last state and, for a file, its data are deleted. The audit log retains that it was deleted.',
    body: 'none',
    input: ({ path: { collection, uuid } }) => ({ collection, id: uuid }),
    response: deleted,
  }),
  listPeople: instanceEndpoint({
    operation: operations.listPeople,
    id: 'listPeople',
    method: 'GET',
    path: '/{iid}/people',
    summary: 'List who may edit the instance',
    description: 'The API users with the role contributor or a stronger one, by name.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(personRows),
  }),
  listInstanceAudit: instanceEndpoint({
    operation: operations.listInstanceAudit,
    id: 'listInstanceAudit',
    method: 'GET',
    path: '/{iid}/audit',
    summary: 'Read the audit log of an instance',
    description:
      'Who changed what, and when: the newest entries first. Entries are retained for 400 days unless the deployment is configured otherwise.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(instanceAuditRows),
  }),
}
