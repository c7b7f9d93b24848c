import { exportAttributes, exportRows, mostOpenExports } from '@publishing-service/domain/jobs'
import { operations } from '@publishing-service/domain/roles'
import { dataEndpoint, instanceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, objectOf, replacedData, rowsOf, writtenIn } from '../response.js'

const exported: NamedShape = {
  name: 'Export',
  description: 'An export of the instance as one file, which the service makes by itself.',
  shape: { attributes: exportAttributes, examples: { bodies: [{ history: true }] } },
}

/** Exports (docs/behaviour/exports.md). */
export const exportEndpoints = {
  listExports: instanceEndpoint({
    operation: operations.listExports,
    id: 'listExports',
    method: 'GET',
    path: '/{iid}/exports',
    summary: 'List exports',
    description: 'The newest first. Those that have ended are retained for a week, with their files.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(exportRows),
  }),
  createExport: instanceEndpoint({
    operation: operations.createExport,
    id: 'createExport',
    method: 'POST',
    path: '/{iid}/exports',
    summary: 'Export the instance',
    description: `Has the service write everything that belongs to the instance to one file, a zip: objects, drafts and files of one moment, without users, keys and web hooks. An instance has at most ${mostOpenExports} exports that wait or run.`,
    body: 'optional object',
    requestPayload: { _tag: 'Object', of: exported },
    input: ({ body }) => ({ body }),
    response: writtenIn('exports'),
  }),
  readExport: instanceEndpoint({
    operation: operations.readExport,
    id: 'readExport',
    method: 'GET',
    path: '/{iid}/exports/{uuid}',
    summary: 'Read an export',
    caching: 'unstored',
    description:
      'Its state and its progress, which is written twice a second; once it is finished, the address of the file.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(exported),
  }),
  removeExport: instanceEndpoint({
    operation: operations.removeExport,
    id: 'removeExport',
    method: 'DELETE',
    path: '/{iid}/exports/{uuid}',
    summary: 'Cancel or delete an export',
    description: 'One that waits or runs is canceled. One that has ended is deleted with its file.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: deleted,
  }),
  downloadExport: dataEndpoint({
    operation: operations.downloadExport,
    id: 'downloadExport',
    method: 'GET',
    path: '/{iid}/exports/{uuid}/download',
    summary: 'Download an export',
    description: 'The file of an export that is finished. Ranges are supported.',
    caching: 'unstored',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    replaced: replacedData,
  }),
}
