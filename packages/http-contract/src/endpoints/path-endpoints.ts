import { maxPaths, resources, segmentsOf } from '@publishing-service/domain'
import { addToPathHistory, readPathHistory, replacePathHistory } from '@publishing-service/application'
import { jsonObject, noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { itemsOf, partWritten } from '../response.js'
import { earlierPathShape } from './shapes.js'

const paths = { _tag: 'Items', name: 'EarlierPaths', of: earlierPathShape, most: maxPaths } as const

/** The earlier paths of everything that has a public path (docs/behaviour/paths.md#path-history). */
export const pathEndpoints: readonly Endpoint[] = resources
  .filter(({ path }) => path !== undefined)
  .flatMap((resource): readonly Endpoint[] => {
    const { collection, name } = resource
    const path = `/{iid}/${segmentsOf(resource)}/{uuid}/path_history` as const
    return [
      operationEndpoint({
        operation: readPathHistory(resource),
        id: `list${pascalCase(name)}Paths`,
        method: 'GET',
        path,
        summary: `List the earlier paths of a ${name}`,
        description:
          'The newest first. The service adds the previous path when the public path changes, also if that of a section above changes.',
        caching: 'object',
        body: noBody,
        input: ({ path: { uuid } }) => ({ id: uuid }),
        response: itemsOf(paths),
      }),
      operationEndpoint({
        operation: replacePathHistory(resource),
        id: `replace${pascalCase(name)}Paths`,
        method: 'PUT',
        path,
        summary: `Replace the earlier paths of a ${name}`,
        description: 'The whole list; paths that are left out are removed.',
        body: jsonObject,
        requestPayload: paths,
        input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
        response: partWritten(collection, 'path history updated'),
      }),
      operationEndpoint({
        operation: addToPathHistory(resource),
        id: `add${pascalCase(name)}Path`,
        method: 'POST',
        path,
        summary: `Add an earlier path of a ${name}`,
        description: 'It is added at the end; a path that is in the list already keeps its position.',
        body: jsonObject,
        requestPayload: { _tag: 'Object', of: earlierPathShape },
        input: ({ path: { uuid }, body }) => ({ id: uuid, body }),
        response: partWritten(collection, 'path added'),
      }),
    ]
  })
