import type { DeploymentFacts } from '../deployment-facts.js'
import { dataEndpoint, instanceEndpoint, type Parameter } from '../endpoint.js'
import { uploadLimitsText } from '../limits.js'
import { namedImageFormats } from '../request-headers.js'
import { defaultThumbnail, replacedData, uploaded } from '../response.js'
import {
  boxRatios,
  boxSides,
  defaultQuality,
  fits,
  imageParameters,
  maxBoxSide,
  qualities,
  requestedFormats,
  unscaledFormats,
} from '@publishing-service/domain/images'
import { operations } from '@publishing-service/domain/roles'

const sideDescription = (side: string): string =>
  `Maximum ${side} in pixels; images only. In a request without a token it is rounded up to the next of ${boxSides.join(', ')}.`

const pixels = { type: 'integer', minimum: 1, maximum: maxBoxSide } as const

type ImageParameter = (typeof imageParameters)[number]

const described: Readonly<Record<ImageParameter, Pick<Parameter, 'description' | 'schema'>>> = {
  w: { description: sideDescription('width'), schema: pixels },
  h: { description: sideDescription('height'), schema: pixels },
  fit: {
    description: `\`cover\` crops to the proportions of \`w\` and \`h\`, which it needs both. In a request without a token \`w\` is rounded up, and the proportions to the nearest of ${boxRatios.map((ratio) => ratio.join(':')).join(', ')} and their portrait forms. Default: \`inside\`.`,
    schema: { type: 'string', enum: fits },
  },
  focal_point: {
    description:
      'What `fit=cover` crops around, as `x,y`: the focal point of the file. Another one redirects to the address with that of the file. With it caches store the response as long as any image, without it for a minute.',
    schema: { type: 'string', format: 'focal-point', maxLength: 61 },
  },
  format: {
    description:
      'Format of the image. `auto` is the one with the fewest bytes that the header Accept names and the service makes; others that it does not make are a fault. Default: that of the original.',
    schema: { type: 'string', enum: requestedFormats },
  },
  q: {
    description: `Quality, which JPEG, WebP and AVIF have. Default: \`${defaultQuality}\`.`,
    schema: { type: 'string', enum: qualities },
  },
}

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
    description: `The address is that of \`download_url\`, and changes with each upload; a former one redirects for a day. Images can be scaled down to fit a box, cropped, and converted to another format; they are never enlarged. ${unscaledFormats.join(', ')} are sent as they are. Ranges are supported. Shared caches may store responses to requests without a token.`,
    caching: 'download',
    parameters: imageParameters.map((name) => ({ name, ...described[name] })),
    body: 'none',
    input: ({ path, query, accept }) => ({
      fileId: path.uuid,
      upload: path.upload,
      image: {
        w: once(query['w']),
        h: once(query['h']),
        fit: once(query['fit']),
        focal_point: once(query['focal_point']),
        format: once(query['format']),
        q: once(query['q']),
      },
      // Only `auto` chooses among them.
      accepted: query['format'] === 'auto' ? namedImageFormats(accept) : [],
    }),
    replaced: replacedData,
    redirects:
      'To the address of the data that has replaced this, or of the image around the present focal point, with the same other parameters.',
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
  }),
})
