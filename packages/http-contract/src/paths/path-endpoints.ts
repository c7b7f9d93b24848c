import type { Resource } from '@publishing-service/domain'
import type { Schema } from '@publishing-service/domain/declare'
import {
  maxPaths,
  maxSitePath,
  redirectFormats,
  type ListedRedirect,
  type RedirectFormat,
  type Resolution,
} from '@publishing-service/domain/paths'
import { operations } from '@publishing-service/domain/roles'
import { segmentsOf } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { redirectFile } from '../redirects/redirect-file.js'
import { itemsOf, json, partWritten, redirectProperties, type Response } from '../response.js'
import { earlierPathShape } from '../endpoints/shapes.js'

const paths = { _tag: 'Items', name: 'EarlierPaths', of: earlierPathShape, most: maxPaths } as const

const foundSchema: Schema = {
  type: 'object',
  description: 'The object whose public path it is.',
  properties: {
    type: {
      type: 'string',
      enum: ['section', 'content', 'location', 'tag', 'homepage'],
      description: 'Kind of the object.',
    },
    uuid: { type: 'string', format: 'uuid', description: 'Identifier of the object.' },
    url: { type: 'string', format: 'uri', description: 'API URL of the object.' },
    path: { type: 'string', description: 'Public path of the object.' },
  },
  required: ['type', 'uuid', 'url', 'path'],
}

const redirectSchema: Schema = {
  type: 'object',
  description: 'A redirect.',
  properties: {
    type: { type: 'string', enum: ['redirect'], description: 'Always `redirect`.' },
    ...redirectProperties,
  },
  required: ['type', 'location', 'status'],
}

const resolution: Response<Resolution> = {
  payload: {
    _tag: 'Fixed',
    name: 'Resolution',
    schema: { anyOf: [foundSchema, redirectSchema], description: 'An object, or a redirect.' },
  },
  encode: json,
}

const resolve = instanceEndpoint({
  operation: operations.resolvePath,
  id: 'resolvePath',
  method: 'GET',
  path: '/{iid}/resolve',
  summary: 'Resolve a path of the website',
  description:
    'The object whose public path it is, or a redirect: to the canonical form of the path, from an earlier path of an object, or of the redirects. Redirects are followed to their end.',
  caching: 'object',
  parameters: [
    {
      name: 'path',
      description: 'The path that a visitor requested, with or without its query; `/` by default.',
      schema: { type: 'string', format: 'site-path', pattern: '^/', maxLength: maxSitePath },
    },
  ],
  body: 'none',
  input: ({ query }) => ({ parameters: query }),
  response: resolution,
})

const redirectFileType = 'text/plain'

const exampleRedirects: readonly ListedRedirect[] = [
  { from: '/space/far-away/', to: '/space/three-photographs/', status: 301, keepsQuery: true },
  { from: '/trams/**', to: '/transport/trams/\\1', status: 301, keepsQuery: false },
]

type RedirectFile = { readonly format: RedirectFormat; readonly redirects: readonly ListedRedirect[] }

const redirectsAsFile: Response<RedirectFile> = {
  payload: {
    _tag: 'Format',
    mediaType: redirectFileType,
    schema: { type: 'string', description: 'The file.' },
    example: redirectFile('netlify', exampleRedirects),
  },
  encode: ({ format, redirects }) => ({
    _tag: 'Text',
    pieces: [redirectFile(format, redirects)],
    mediaType: redirectFileType,
  }),
}

const exportRedirects = instanceEndpoint({
  operation: operations.exportRedirects,
  id: 'exportRedirects',
  method: 'GET',
  path: '/{iid}/redirects/export',
  summary: 'Read all redirects as a file for a host',
  description:
    'The earlier paths of everything that the public sees, and the redirects, as a file for a host of static websites.',
  caching: 'object',
  parameters: [
    {
      name: 'format',
      description: 'The host: `netlify` writes `_redirects`, `nginx` maps to include. `netlify` by default.',
      schema: { type: 'string', enum: redirectFormats },
    },
  ],
  body: 'none',
  input: ({ query }) => ({ parameters: query }),
  response: redirectsAsFile,
})

/** The endpoints of the earlier paths of a resource that has a public path (docs/behaviour/paths.md). */
export const pathHistoryEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const path = `/{iid}/${segmentsOf(resource)}/{uuid}/path_history` as const
  return {
    read: instanceEndpoint({
      operation: operations.readPathHistory(resource.collection),
      id: `list${pascalCase(name)}Paths`,
      method: 'GET',
      path,
      summary: `List the earlier paths of a ${name}`,
      description:
        'The newest first. The service adds the previous path when the public path changes, also if that of a section above changes.',
      caching: 'object',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: itemsOf(paths),
    }),
    replace: instanceEndpoint({
      operation: operations.replacePathHistory(resource.collection),
      id: `replace${pascalCase(name)}Paths`,
      method: 'PUT',
      path,
      summary: `Replace the earlier paths of a ${name}`,
      description: 'The whole list; paths that are left out are removed.',
      body: 'object',
      requestPayload: paths,
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: partWritten(collection, 'path history updated'),
    }),
    add: instanceEndpoint({
      operation: operations.addToPathHistory(resource.collection),
      id: `add${pascalCase(name)}Path`,
      method: 'POST',
      path,
      summary: `Add an earlier path of a ${name}`,
      description: 'It is added at the end; a path that is in the list already keeps its position.',
      body: 'object',
      requestPayload: { _tag: 'Object', of: earlierPathShape },
      input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
      response: partWritten(collection, 'path added'),
    }),
  }
}

/** Path resolution, and all redirects as a file (docs/behaviour/paths.md). */
export const pathEndpoints = { resolvePath: resolve, exportRedirects }
