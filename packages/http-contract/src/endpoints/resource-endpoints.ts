import { resources, segmentsOf, subcollectionOf, type Resource } from '@publishing-service/domain'
import {
  changeObject,
  createObject,
  listObjects,
  readObject,
  removeObject,
  replaceObject,
} from '@publishing-service/application'
import { jsonObject, noBody, operationEndpoint, type Endpoint } from '../endpoint.js'
import { namedResource, pascalCase } from '../payload.js'
import { deleted, objectOf, rowsOf, writtenIn } from '../response.js'

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

const plural = (collection: string): string =>
  resources.find((each) => each.collection === collection)?.name.concat('s') ?? collection

/** The effects of a deletion on other objects. */
const removalOf = ({ blockers = [], dependents = [], placeholder, name }: Resource): string =>
  [
    placeholder === undefined
      ? 'References to it are null afterwards, or are left out of lists.'
      : `While it has ${blockers.map(({ what }) => what).join(' or ')}, it is replaced by a ${name} without text and author, with \`deleted\` true.`,
    ...dependents.map(({ collection }) => `Its ${plural(collection)} are deleted with it.`),
  ].join(' ')

const listEndpoint = (listed: Resource, words: string): Endpoint =>
  operationEndpoint({
    resource: listed,
    ...(listed.deprecated === undefined ? {} : { deprecated: listed.deprecated }),
    operation: listObjects(listed),
    id: `list${pascalCase(words)}`,
    method: 'GET',
    path: `/{iid}/${segmentsOf(listed)}`,
    summary: `List ${segmentsOf(listed)}`,
    description: `${listed.description} One page of rows; each row contains the values of \`fields\`, in that order.`,
    caching: 'object',
    body: noBody,
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(listed),
  })

/** The operations of a resource (docs/behaviour/collections.md#methods). */
export const resourceEndpoints = (resource: Resource): readonly Endpoint[] => {
  const { collection, name, omits = [], deprecated, blockers, placeholder } = resource
  const list = `/{iid}/${segmentsOf(resource)}` as const
  const object = `${list}/{uuid}` as const
  const single = pascalCase(name)
  const noun = `${article(name)} ${name}`
  const shape = namedResource(resource)
  const whole = { _tag: 'Object', of: shape } as const
  const common = { resource, ...(deprecated === undefined ? {} : { deprecated }) } as const
  const all: readonly Endpoint[] = [
    listEndpoint(resource, collection),
    ...(resource.subcollections ?? []).map((each) =>
      listEndpoint(subcollectionOf(resource, each), each.segments),
    ),
    operationEndpoint({
      ...common,
      operation: createObject(resource),
      id: `create${single}`,
      method: 'POST',
      path: list,
      summary: `Create ${noun} under a new UUID`,
      description: 'The service chooses the UUID. A repeated request creates another object.',
      body: jsonObject,
      requestPayload: whole,
      input: ({ body }) => ({ body }),
      response: writtenIn(collection),
    }),
    operationEndpoint({
      ...common,
      operation: readObject(resource),
      id: `read${single}`,
      method: 'GET',
      path: object,
      summary: `Read ${noun}`,
      description:
        'All attributes that the role may see; those without a value are null, or left out where they say so.',
      caching: 'object',
      body: noBody,
      input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
      response: objectOf(shape),
    }),
    operationEndpoint({
      ...common,
      operation: replaceObject(resource),
      id: `replace${single}`,
      method: 'PUT',
      path: object,
      summary: `Create or replace ${noun}`,
      description:
        'Replaces the whole object: attributes that are not sent, or are null, are reset to their defaults. The response of GET can be sent back and changes nothing; read-only attributes are ignored. If the object does not exist, it is created, which needs the role for creation.',
      body: jsonObject,
      requestPayload: whole,
      input: ({ path, body }) => ({ id: path.uuid, body }),
      response: writtenIn(collection),
    }),
    operationEndpoint({
      ...common,
      operation: changeObject(resource),
      id: `change${single}`,
      method: 'PATCH',
      path: object,
      summary: `Change attributes of ${noun}`,
      description:
        'Changes only the attributes that are sent; null clears an attribute. Recommended for edits.',
      body: jsonObject,
      requestPayload: whole,
      input: ({ path, body }) => ({ id: path.uuid, body }),
      response: writtenIn(collection),
    }),
    operationEndpoint({
      ...common,
      operation: removeObject(resource),
      id: `remove${single}`,
      method: 'DELETE',
      path: object,
      summary: `Delete ${noun}`,
      description: removalOf(resource),
      body: noBody,
      input: ({ path }) => ({ id: path.uuid }),
      response: deleted,
      problems: [
        ...(blockers === undefined || placeholder !== undefined ? [] : (['InUse'] as const)),
        ...(resource.preventsDeletion === undefined ? [] : (['MethodNotAllowed'] as const)),
      ],
    }),
  ]
  return all.filter(({ operation }) => !omits.some((omitted) => omitted === operation))
}
