import type { Resource } from '@publishing-service/domain'
import { operations } from '@publishing-service/domain/roles'
import {
  attributeChangeShape,
  versionPageShape,
  versionParameters,
  versionShape,
  type VersionsQuery,
} from '@publishing-service/domain/changes'
import type { JsonObject } from '@publishing-service/domain/json'
import { segmentsOf } from '@publishing-service/domain/engine'
import { instanceEndpoint } from '../endpoint.js'
import { namedResource, pascalCase } from '../payload.js'
import { itemsOf, json, linkTo, objectOf, writtenIn, type Response } from '../response.js'

type VersionList = { readonly items: readonly JsonObject[]; readonly next: VersionsQuery | null }

/** A page of versions with the link to the next one. */
const versions: Response<VersionList> = {
  payload: {
    _tag: 'Items',
    name: 'ObjectVersions',
    of: { name: 'ObjectVersion', description: 'A version of an object.', shape: versionShape },
    additional: {
      name: 'ObjectVersionsPage',
      description: 'Versions, the newest first, and the address of the next ones.',
      shape: versionPageShape,
    },
  },
  encode: ({ items, next }, { target }) =>
    json(
      next === null ? { items } : { items, next: linkTo(target, `before=${next.before}&rpp=${next.limit}`) },
    ),
}

const changes = {
  _tag: 'Items',
  name: 'ObjectVersionChanges',
  of: {
    name: 'ObjectVersionChange',
    description: 'What differs in an attribute.',
    shape: attributeChangeShape,
  },
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
      description: 'Who wrote them, when, and what changed: those that are retained, the newest first.',
      parameters: versionParameters,
      body: 'none',
      input: ({ path: { uuid }, query }) => ({ id: uuid, parameters: query }),
      response: versions,
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
    changes: instanceEndpoint({
      operation: operations.listVersionChanges(collection),
      id: `list${pascalCase(name)}VersionChanges`,
      method: 'GET',
      path: `${one}/changes`,
      summary: `Compare a version of a ${name} with the one before`,
      description: 'What differs, attribute by attribute; long texts word by word.',
      body: 'none',
      input: ({ path: { uuid, version } }) => ({ id: uuid, version: Number(version) }),
      response: itemsOf(changes),
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
