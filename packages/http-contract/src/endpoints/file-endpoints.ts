import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

const pixels = { type: 'integer', minimum: 1, maximum: 10_000 } as const

/** The data of files. */
export const fileEndpoints: readonly Endpoint[] = [
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
      { name: 'w', description: 'Maximum width in pixels, 1 to 10000; images only.', schema: pixels },
      { name: 'h', description: 'Maximum height in pixels, 1 to 10000; images only.', schema: pixels },
    ],
  },
]
