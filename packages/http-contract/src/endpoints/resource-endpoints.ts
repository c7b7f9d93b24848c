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

/** What a deletion does besides removing the object. */
const removalOf = ({ blockers = [], dependents = [], placeholder, name }: Resource): string =>
  [
    placeholder === undefined
      ? 'What refers to it reads null in its place, or leaves it out of lists.'
      : `While it has ${blockers.map(({ what }) => what).join(' or ')}, a ${name} without its text and its author stays in its place, with \`deleted\` true.`,
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
    description: `${listed.description} One page of rows; each holds the values of \`fields\`, in its order.`,
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
      description: 'The service chooses the UUID. Sent again, it creates another object.',
      body: jsonObject,
      takes: whole,
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
      description: 'All attributes that the role may see; those without a value are null.',
      caching: 'object',
      body: noBody,
      input: ({ path }) => ({ id: path.uuid }),
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
        'Replaces the whole object: what isn’t sent, or sent as null, goes back to its default. What GET answers can be sent back and changes nothing; read-only attributes are ignored. To create an object needs the role that creating needs.',
      body: jsonObject,
      takes: whole,
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
      description: 'Changes only what is sent; null clears an attribute. The better way to edit.',
      body: jsonObject,
      takes: whole,
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
        ...(resource.keeps === undefined ? [] : (['MethodNotAllowed'] as const)),
      ],
    }),
  ]
  return all.filter(({ operation }) => !omits.some((omitted) => omitted === operation))
}
