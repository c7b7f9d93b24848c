import type { DeploymentFacts } from '../deployment-facts.js'
import type { Endpoint } from '../endpoint.js'
import { uploadLimitsText } from '../limits.js'
import { uploaded } from './fixed-answers.js'
import { standard } from './standard.js'
import { maxBoxSide } from '@publishing-service/domain'

const pixels = { type: 'integer', minimum: 1, maximum: maxBoxSide } as const

/** The data of files. */
export const fileEndpointsOn = ({
  uploadLimits,
}: Pick<DeploymentFacts, 'uploadLimits'>): readonly Endpoint[] => [
  {
    ...standard,
    operation: 'uploadFile',
    id: 'uploadFile',
    method: 'POST',
    path: '/{iid}/files/{uuid}',
    summary: 'Upload the data of a file',
    description: `The metadata have to be there before. The MIME type is that of the header Content-Type, and decides how large the data may be: ${uploadLimitsText(uploadLimits)}. What was there before can be read until the new data are whole.`,
    permission: { subject: 'files', action: 'update' },
    body: 'data',
    takes: { _tag: 'Data' },
    gives: uploaded,
  },
  {
    ...standard,
    operation: 'downloadFile',
    id: 'downloadFile',
    method: 'GET',
    path: '/{iid}/files/{uuid}/download/{upload}',
    summary: 'Download the data of a file',
    description:
      'The address is that of `download_url`, and changes with each upload. Images can be scaled down into a box, keeping their proportions and format; they are never enlarged. Ranges are served.',
    permission: { subject: 'files', action: 'read' },
    openedBy: 'public_downloads',
    caching: 'download',
    parameters: [
      { name: 'w', description: `Maximum width in pixels; images only.`, schema: pixels },
      { name: 'h', description: `Maximum height in pixels; images only.`, schema: pixels },
    ],
    gives: { _tag: 'Data' },
    problems: ['RangeNotSatisfiable'],
  },
]
