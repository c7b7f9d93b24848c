import { blog, resources, type Resource } from '@publishing-service/domain'
import { operations } from '@publishing-service/domain/roles'
import { dependentsOf, placeholderOf, segmentsOf, subcollectionOf } from '@publishing-service/domain/engine'
import { instanceEndpoint, type Endpoint } from '../endpoint.js'
import { namedResource, pascalCase } from '../payload.js'
import { deleted, objectOf, rowsOf, writtenIn } from '../response.js'

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

const plural = (collection: string): string =>
  resources.find((each) => each.collection === collection)?.name.concat('s') ?? collection

/** The effects of a deletion on other objects. */
const removalOf = (resource: Resource): string => {
  const replaced = placeholderOf(resource)
  return [
    replaced === undefined
      ? 'References to it are null afterwards, or are left out of lists.'
      : `While it has ${replaced.what}, it is replaced by a ${resource.name} without text and author, with \`deleted\` true.`,
    ...dependentsOf(resource).map(({ collection }) => `Its ${plural(collection)} are deleted with it.`),
  ].join(' ')
}

/** Clients should use no blogs (docs/behaviour/deprecated.md#blogs). */
export const deprecation = ({ collection }: Resource) =>
  collection === blog.collection ? ({ deprecated: true } as const) : {}

const listEndpoint = (listed: Resource, words: string) =>
  instanceEndpoint({
    resource: listed,
    ...deprecation(listed),
    operation: operations.listObjects(listed.collection),
    id: `list${pascalCase(words)}`,
    method: 'GET',
    path: `/{iid}/${segmentsOf(listed)}`,
    summary: `List ${segmentsOf(listed)}`,
    description: `${listed.description} One page of rows; each row contains the values of \`fields\`, in that order.`,
    caching: 'object',
    body: 'none',
    input: ({ query }) => ({ parameters: query }),
    response: rowsOf(listed),
  })

/** The lists of a resource that have a separate path, each with what it lists. */
export const subcollectionEndpoints = (resource: Resource) =>
  (resource.subcollections ?? []).map((each) => {
    const listed = subcollectionOf(resource, each)
    return { listed, endpoint: listEndpoint(listed, each.segments) }
  })

/** Whether a resource has one of its standard endpoints. */
export const isOffered = ({ given }: Resource, { operation }: Pick<Endpoint, 'operation'>): boolean =>
  given === undefined || operation !== 'createObject'

/** The standard endpoints of a resource (docs/behaviour/collections.md#methods). */
export const resourceEndpoints = (resource: Resource) => {
  const { collection, name } = resource
  const list = `/{iid}/${segmentsOf(resource)}` as const
  const object = `${list}/{uuid}` as const
  const single = pascalCase(name)
  const noun = `${article(name)} ${name}`
  const shape = namedResource(resource)
  const whole = { _tag: 'Object', of: shape } as const
  const common = { resource, ...deprecation(resource) } as const
  return {
    list: listEndpoint(resource, collection),
    create: instanceEndpoint({
      ...common,
      operation: operations.createObject(resource.collection),
      id: `create${single}`,
      method: 'POST',
      path: list,
      summary: `Create ${noun} under a new UUID`,
      description: 'The service chooses the UUID. A repeated request creates another object.',
      body: 'object',
      requestPayload: whole,
      input: ({ body }) => ({ body }),
      response: writtenIn(collection),
    }),
    read: instanceEndpoint({
      ...common,
      operation: operations.readObject(resource.collection),
      id: `read${single}`,
      method: 'GET',
      path: object,
      summary: `Read ${noun}`,
      description:
        'All attributes that the role may see; those without a value are null, or left out where they say so.',
      caching: 'object',
      body: 'none',
      input: ({ path, query }) => ({ id: path.uuid, parameters: query }),
      response: objectOf(shape),
    }),
    replace: instanceEndpoint({
      ...common,
      operation: operations.replaceObject(resource.collection),
      id: `replace${single}`,
      method: 'PUT',
      path: object,
      summary: `Create or replace ${noun}`,
      description:
        'Replaces the whole object: attributes that are not sent, or are null, are reset to their defaults. The response of GET can be sent back and changes nothing; read-only attributes are ignored. If the object does not exist, it is created, which needs the role for creation.',
      body: 'object',
      requestPayload: whole,
      input: ({ path, body }) => ({ id: path.uuid, body }),
      response: writtenIn(collection),
    }),
    change: instanceEndpoint({
      ...common,
      operation: operations.changeObject(resource.collection),
      id: `change${single}`,
      method: 'PATCH',
      path: object,
      summary: `Change attributes of ${noun}`,
      description:
        'Changes only the attributes that are sent; null clears an attribute. Recommended for edits.',
      body: 'object',
      requestPayload: whole,
      input: ({ path, body }) => ({ id: path.uuid, body }),
      response: writtenIn(collection),
    }),
    remove: instanceEndpoint({
      ...common,
      operation: operations.removeObject(resource.collection),
      id: `remove${single}`,
      method: 'DELETE',
      path: object,
      summary: `Delete ${noun}`,
      description: removalOf(resource),
      body: 'none',
      input: ({ path }) => ({ id: path.uuid }),
      response: deleted,
    }),
  }
}
