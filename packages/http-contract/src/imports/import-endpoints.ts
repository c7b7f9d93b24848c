import { importLineRows, importRows, importShape, mostOpenImports } from '@publishing-service/domain/imports'
import { operations } from '@publishing-service/domain/roles'
import { instanceEndpoint } from '../endpoint.js'
import type { NamedShape } from '../payload.js'
import { deleted, objectOf, rowsOf, writtenIn } from '../response.js'

const imported: NamedShape = {
  name: 'Import',
  description: 'An import of content of another system, which the service runs by itself.',
  shape: {
    ...importShape,
    examples: {
      bodies: [
        {
          kind: 'ghost',
          file_uuid: '64f2b3c4-20d4-4e5b-8a77-0c6f4b6de1a9',
          dry_run: true,
          options: { site: 'https://www.example.org', sections: 'primary-tag' },
        },
      ],
    },
  },
}

/** Imports (docs/behaviour/imports.md). */
export const importEndpoints = {
  listImports: instanceEndpoint({
    operation: operations.listImports,
    id: 'listImports',
    method: 'GET',
    path: '/{iid}/imports',
    summary: 'List imports',
    description: 'The newest first. Those that have ended are retained for 30 days.',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(importRows),
  }),
  createImport: instanceEndpoint({
    operation: operations.createImport,
    id: 'createImport',
    method: 'POST',
    path: '/{iid}/imports',
    summary: 'Import content of another system',
    description: `The file is in the library: create it and upload its data before. Imports run one after another, with the roles of the user who has begun them; an instance has at most ${mostOpenImports} that wait or run. An import that is repeated goes on with what is missing, and makes nothing twice.`,
    body: 'object',
    requestPayload: { _tag: 'Object', of: imported },
    input: ({ body }) => ({ body }),
    response: writtenIn('imports'),
  }),
  readImport: instanceEndpoint({
    operation: operations.readImport,
    id: 'readImport',
    method: 'GET',
    path: '/{iid}/imports/{uuid}',
    summary: 'Read an import',
    caching: 'unstored',
    description:
      'Its state, its progress, and what became of the records. The progress is written twice a second.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: objectOf(imported),
  }),
  removeImport: instanceEndpoint({
    operation: operations.removeImport,
    id: 'removeImport',
    method: 'DELETE',
    path: '/{iid}/imports/{uuid}',
    summary: 'Cancel or delete an import',
    description:
      'One that waits or runs is canceled: what it has written remains, and so does its report. One that has ended is deleted with its report.',
    body: 'none',
    input: ({ path }) => ({ id: path.uuid }),
    response: deleted,
  }),
  listImportLines: instanceEndpoint({
    operation: operations.listImportLines,
    id: 'listImportLines',
    method: 'GET',
    path: '/{iid}/imports/{uuid}/report',
    summary: 'Read the report of an import',
    description:
      'A line for each record that was refused or that has notes: what is different from the source, or worth a look.',
    body: 'none',
    input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
    response: rowsOf(importLineRows),
  }),
}
