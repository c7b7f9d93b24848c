import { maxPaths, resources, segmentsOf } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { partWritten } from './fixed-answers.js'
import { earlierPathShape } from './shapes.js'
import { standard } from './standard.js'

const paths = { _tag: 'Items', name: 'EarlierPaths', of: earlierPathShape, most: maxPaths } as const

/** The earlier paths of everything that has a public path (decisions §12). */
export const pathEndpoints: readonly Endpoint[] = resources
  .filter(({ path }) => path !== undefined)
  .flatMap((resource): readonly Endpoint[] => {
    const { collection, name } = resource
    const path = `/{iid}/${segmentsOf(resource)}/{uuid}/path_history`
    const update = {
      ...standard,
      permission: { subject: collection, action: 'update' },
      body: 'object',
      path,
      gives: partWritten,
    } as const
    return [
      {
        ...standard,
        permission: { subject: collection, action: 'read' },
        caching: 'object',
        operation: 'readPathHistory',
        id: `list${pascalCase(name)}Paths`,
        method: 'GET',
        path,
        summary: `List the earlier paths of a ${name}`,
        description:
          'The newest first. The service adds the old path whenever the public path changes, that of a section above included.',
        reads: ['sections'],
        gives: paths,
      },
      {
        ...update,
        operation: 'replacePathHistory',
        id: `replace${pascalCase(name)}Paths`,
        method: 'PUT',
        summary: `Replace the earlier paths of a ${name}`,
        description: 'The whole list; what is left out is forgotten.',
        takes: paths,
      },
      {
        ...update,
        operation: 'addToPathHistory',
        id: `add${pascalCase(name)}Path`,
        method: 'POST',
        summary: `Add an earlier path of a ${name}`,
        description: 'Behind the others; what is in the list already stays where it is.',
        takes: { _tag: 'Object', of: earlierPathShape },
      },
    ]
  })
