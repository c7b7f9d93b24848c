import type { Resource } from '@publishing-service/domain'
import { operations, versionShape } from '@publishing-service/domain/access'
import { segmentsOf } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { namedResource, pascalCase } from '../payload.js'
import { itemsOf, objectOf, writtenIn } from '../response.js'

const versions = {
  _tag: 'Items',
  name: 'ObjectVersions',
  of: { name: 'ObjectVersion', description: 'A version of an object.', shape: versionShape },
} as const

/** The endpoints of the earlier versions of the objects of a resource (docs/behaviour/history.md). */
export const versionEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const list = `/{iid}/${segmentsOf(resource)}/{uuid}/versions` as const
  const one = `${list}/{version}` as const
  return {
    list: instanceEndpoint({
      operation: operations.listVersions(collection),
      id: `list${pascalCase(name)}Versions`,
      method: 'GET',
      path: list,
      summary: `List the versions of a ${name}`,
      description: 'Who wrote them, when, and what changed: those that are kept, the newest first.',
      body: 'none',
      input: ({ path: { uuid } }) => ({ id: uuid }),
      response: itemsOf(versions),
    }),
    read: instanceEndpoint({
      operation: operations.readVersion(collection),
      id: `read${pascalCase(name)}Version`,
      method: 'GET',
      path: one,
      summary: `Read a version of a ${name}`,
      description: 'The object as it was, for the role of the caller. References are read as they are now.',
      body: 'none',
      input: ({ path: { uuid, version } }) => ({ id: uuid, version: Number(version) }),
      response: objectOf({ ...namedResource(resource), includes: false }),
    }),
    restore: instanceEndpoint({
      operation: operations.restoreVersion(collection),
      id: `restore${pascalCase(name)}Version`,
      method: 'POST',
      path: `${one}/restore`,
      summary: `Restore a version of a ${name}`,
      description:
        'Writes the attributes and parts that clients had set at that version again, as a new version. All rules of a write apply.',
      body: 'none',
      input: ({ path: { uuid, version } }) => ({ id: uuid, version: Number(version) }),
      response: writtenIn(collection),
    }),
  }
}
