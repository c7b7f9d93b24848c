import { resources, segmentsOf } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

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
    } as const
    return [
      {
        ...standard,
        permission: { subject: collection, action: 'read' },
        caching: 'object',
        operation: 'readPathHistory',
        method: 'GET',
        path,
        summary: `List the earlier paths of a ${name}`,
        reads: ['sections'],
      },
      { ...update, operation: 'replacePathHistory', method: 'PUT', summary: 'Replace the earlier paths' },
      { ...update, operation: 'addToPathHistory', method: 'POST', summary: 'Add an earlier path' },
    ]
  })
