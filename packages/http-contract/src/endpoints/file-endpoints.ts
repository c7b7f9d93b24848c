import type { DeploymentFacts } from '../deployment-facts.js'
import { fileData, noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { uploadLimitsText } from '../limits.js'
import { data, defaultThumbnail, uploaded } from '../response.js'
import { downloadFile, readDefaultThumbnail, uploadFile } from '@publishing-service/application'
import { boxSides, maxBoxSide } from '@publishing-service/domain'

const sideDescription = (side: string): string =>
  `Maximum ${side} in pixels; images only. In a request without a token it is rounded up to the next of ${boxSides.join(', ')}.`

const pixels = { type: 'integer', minimum: 1, maximum: maxBoxSide } as const

/** A parameter that may be given once; a repeated one is its values joined, which are no number. */
const once = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join('&') : value

/** The data of files. */
export const fileEndpointsOn = ({
  uploadLimits,
}: Pick<DeploymentFacts, 'uploadLimits'>): readonly Endpoint[] => [
  operationEndpoint({
    operation: uploadFile,
    id: 'uploadFile',
    method: 'POST',
    path: '/{iid}/files/{uuid}',
    summary: 'Upload the data of a file',
    description: `The metadata have to be there before. The MIME type is that of the header Content-Type, and decides how large the data may be: ${uploadLimitsText(uploadLimits)}. What was there before can be read until the new data are whole.`,
    body: fileData,
    takes: { _tag: 'Data' },
    input: ({ path, body }) => ({ id: path.uuid, ...body }),
    response: uploaded,
  }),
  operationEndpoint({
    operation: downloadFile,
    id: 'downloadFile',
    method: 'GET',
    path: '/{iid}/files/{uuid}/download/{upload}',
    summary: 'Download the data of a file',
    description:
      'The address is that of `download_url`, and changes with each upload. Images can be scaled down into a box, keeping their proportions and format; they are never enlarged. Ranges are served. Where `public_downloads` is on, an answer without a token may be stored by every cache.',
    caching: 'download',
    parameters: [
      { name: 'w', description: sideDescription('width'), schema: pixels },
      { name: 'h', description: sideDescription('height'), schema: pixels },
    ],
    body: noBody,
    input: ({ path, query }) => ({
      fileId: path.uuid,
      upload: path.upload,
      width: once(query['w']),
      height: once(query['h']),
    }),
    response: data,
    problems: ['RangeNotSatisfiable'],
  }),
  operationEndpoint({
    operation: readDefaultThumbnail,
    id: 'readDefaultThumbnail',
    method: 'GET',
    path: '/{iid}/files/default-thumbnail/{kind}',
    summary: 'Read the picture of a kind of media',
    description:
      'A PNG of 240 × 240 pixels, at which `thumb_url` points for media that have no image of their own.',
    caching: 'download',
    body: noBody,
    input: ({ path }) => ({ kind: path.kind }),
    response: defaultThumbnail,
    problems: ['RangeNotSatisfiable'],
  }),
]
