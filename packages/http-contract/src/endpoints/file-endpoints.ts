import type { DeploymentFacts } from '../deployment-facts.js'
import { dataEndpoint, instanceEndpoint } from '../endpoint.js'
import { uploadLimitsText } from '../limits.js'
import { defaultThumbnail, replacedData, uploaded } from '../response.js'
import { boxSides, maxBoxSide, unscaledFormats } from '@publishing-service/domain/images'
import { operations } from '@publishing-service/domain/access'

const sideDescription = (side: string): string =>
  `Maximum ${side} in pixels; images only. In a request without a token it is rounded up to the next of ${boxSides.join(', ')}.`

const pixels = { type: 'integer', minimum: 1, maximum: maxBoxSide } as const

/** A parameter that may be sent once. The values of a repeated one are joined, so that they are not a number. */
const once = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join('&') : value

/** The data of files. */
export const fileEndpointsOn = ({ uploadLimits }: Pick<DeploymentFacts, 'uploadLimits'>) => ({
  uploadFile: instanceEndpoint({
    operation: operations.uploadFile,
    id: 'uploadFile',
    method: 'POST',
    path: '/{iid}/files/{uuid}',
    summary: 'Upload the data of a file',
    description: `The metadata must exist. The MIME type is that of the header Content-Type. It determines the maximum size: ${uploadLimitsText(uploadLimits)}. Until the upload is complete, downloads return the previous data.`,
    body: 'data',
    requestPayload: { _tag: 'Data' },
    input: ({ path, body }) => ({ id: path.uuid, ...body }),
    response: uploaded,
  }),
  downloadFile: dataEndpoint({
    operation: operations.downloadFile,
    id: 'downloadFile',
    method: 'GET',
    path: '/{iid}/files/{uuid}/download/{upload}',
    summary: 'Download the data of a file',
    description: `The address is that of \`download_url\`, and changes with each upload; a former one redirects for a day. Images can be scaled down to fit a box, with the same proportions and format; they are never enlarged. ${unscaledFormats.join(', ')} are sent as they are. Ranges are supported. If \`public_downloads\` is on, shared caches may store responses to requests without a token.`,
    caching: 'download',
    parameters: [
      { name: 'w', description: sideDescription('width'), schema: pixels },
      { name: 'h', description: sideDescription('height'), schema: pixels },
    ],
    body: 'none',
    input: ({ path, query }) => ({
      fileId: path.uuid,
      upload: path.upload,
      width: once(query['w']),
      height: once(query['h']),
    }),
    replaced: replacedData,
    redirects: 'To the address of the data that has replaced this, with the same `w` and `h`.',
    problems: ['RangeNotSatisfiable'],
  }),
  readDefaultThumbnail: instanceEndpoint({
    operation: operations.readDefaultThumbnail,
    id: 'readDefaultThumbnail',
    method: 'GET',
    path: '/{iid}/files/default-thumbnail/{kind}',
    summary: 'Read the default thumbnail of a kind of media',
    description: 'A PNG of 240 × 240 pixels, the `thumb_url` of media without an image.',
    caching: 'download',
    body: 'none',
    input: ({ path }) => ({ kind: path.kind }),
    response: defaultThumbnail,
    problems: ['RangeNotSatisfiable'],
  }),
})
