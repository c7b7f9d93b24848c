import type { Resource } from '@publishing-service/domain'
import { presenceSeconds, presenceShape } from '@publishing-service/access'
import { operations } from '@publishing-service/domain/roles'
import { segmentsOf } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { deleted, itemsOf } from '../response.js'

const presences = itemsOf({
  _tag: 'Items',
  name: 'ObjectPresences',
  of: {
    name: 'ObjectPresence',
    description: 'An API user who has an object open.',
    shape: presenceShape,
  },
})

/** The endpoints of who has an object of a resource open (docs/behaviour/presence.md). */
export const presenceEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const path = `/{iid}/${segmentsOf(resource)}/{uuid}/presence` as const
  const single = pascalCase(name)
  return {
    read: instanceEndpoint({
      operation: operations.readPresence(collection),
      id: `read${single}Presence`,
      method: 'GET',
      path,
      summary: `List who has a ${name} open`,
      description: 'The API users who have it open, those who were first first.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: presences,
    }),
    note: instanceEndpoint({
      operation: operations.notePresence(collection),
      id: `note${single}Presence`,
      method: 'PUT',
      path,
      summary: `Say that the caller has a ${name} open`,
      description: `A heartbeat: the caller is gone ${presenceSeconds} seconds after the last one. Returns who has it open.`,
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: presences,
    }),
    remove: instanceEndpoint({
      operation: operations.removePresence(collection),
      id: `remove${single}Presence`,
      method: 'DELETE',
      path,
      summary: `Say that the caller has closed a ${name}`,
      description: 'Another window of the same user adds it again with its next heartbeat.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: deleted,
    }),
  }
}
