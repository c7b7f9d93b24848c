import type { DeploymentFacts } from '../deployment-facts.js'
import type { Endpoint } from '../endpoint.js'
import { uploadLimitsText } from '../limits.js'
import { uploaded } from './fixed-answers.js'
import { standard } from './standard.js'
import { boxSides, maxBoxSide } from '@publishing-service/domain'

const sideDescription = (side: string): string =>
  `Maximum ${side} in pixels; images only. In a request without a token it is rounded up to the next of ${boxSides.join(', ')}.`

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
      'The address is that of `download_url`, and changes with each upload. Images can be scaled down into a box, keeping their proportions and format; they are never enlarged. Ranges are served. Where `public_downloads` is on, an answer without a token may be stored by every cache.',
    permission: { subject: 'files', action: 'read' },
    openedBy: 'public_downloads',
    caching: 'download',
    parameters: [
      { name: 'w', description: sideDescription('width'), schema: pixels },
      { name: 'h', description: sideDescription('height'), schema: pixels },
    ],
    gives: { _tag: 'Data' },
    problems: ['RangeNotSatisfiable'],
  },
  {
    ...standard,
    operation: 'readDefaultThumbnail',
    id: 'readDefaultThumbnail',
    method: 'GET',
    path: '/{iid}/files/default-thumbnail/{kind}',
    summary: 'Read the picture of a kind of media',
    description:
      'A PNG of 240 × 240 pixels, at which `thumb_url` points for media that have no image of their own.',
    permission: { subject: 'files', action: 'read' },
    openedBy: 'public_downloads',
    caching: 'download',
    gives: { _tag: 'Data' },
    problems: ['RangeNotSatisfiable'],
  },
]
