import { resources, segmentsOf, subcollectionOf, type Resource } from '@publishing-service/domain'
import type { Endpoint, Method, ResourceOperation } from '../endpoint.js'
import { namedResource, pascalCase } from '../payload.js'
import { deleted, written } from './fixed-answers.js'
import { standard } from './standard.js'

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

/** The operations of a resource (specification, Meaning of HTTP methods; decisions §4.8). */
export const resourceEndpoints = (resource: Resource): readonly Endpoint[] => {
  const { collection, name, omits = [], deprecated, timed, blockers, placeholder } = resource
  const list = `/{iid}/${segmentsOf(resource)}`
  const object = `${list}/{uuid}`
  const single = pascalCase(name)
  const endpoint = (
    operation: ResourceOperation,
    method: Method,
    path: string,
    rest: Partial<Endpoint> & Pick<Endpoint, 'id' | 'summary' | 'description' | 'permission' | 'gives'>,
  ): Endpoint => ({
    ...standard,
    operation,
    method,
    path,
    resource,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(timed ? { timed } : {}),
    ...rest,
  })
  const may = (action: 'read' | 'create' | 'update' | 'remove') => ({
    permission: { subject: collection, action },
  })
  const noun = `${article(name)} ${name}`
  const whole = { _tag: 'Object', of: namedResource(resource) } as const
  const listOf = (listed: Resource, words: string): Endpoint =>
    endpoint('listObjects', 'GET', `/{iid}/${segmentsOf(listed)}`, {
      ...may('read'),
      resource: listed,
      id: `list${pascalCase(words)}`,
      summary: `List ${segmentsOf(listed)}`,
      description: `${listed.description} One page of rows; each holds the values of \`fields\`, in its order.`,
      caching: 'object',
      gives: { _tag: 'Rows', of: listed },
    })
  const all = [
    listOf(resource, collection),
    ...(resource.subcollections ?? []).map((each) => listOf(subcollectionOf(resource, each), each.segments)),
    endpoint('createObject', 'POST', list, {
      ...may('create'),
      id: `create${single}`,
      summary: `Create ${noun} under a new UUID`,
      description: 'The service chooses the UUID. Sent again, it creates another object.',
      body: 'object',
      takes: whole,
      gives: written,
    }),
    endpoint('readObject', 'GET', object, {
      ...may('read'),
      id: `read${single}`,
      summary: `Read ${noun}`,
      description: 'All attributes that the role may see; those without a value are null.',
      caching: 'object',
      gives: whole,
    }),
    endpoint('replaceObject', 'PUT', object, {
      ...may('update'),
      id: `replace${single}`,
      summary: `Create or replace ${noun}`,
      description:
        'Replaces the whole object: what isn’t sent, or sent as null, goes back to its default. What GET answers can be sent back and changes nothing; read-only attributes are ignored. To create an object needs the role that creating needs.',
      body: 'object',
      takes: whole,
      gives: written,
    }),
    endpoint('changeObject', 'PATCH', object, {
      ...may('update'),
      id: `change${single}`,
      summary: `Change attributes of ${noun}`,
      description: 'Changes only what is sent; null clears an attribute. The better way to edit.',
      body: 'object',
      takes: whole,
      gives: written,
    }),
    endpoint('removeObject', 'DELETE', object, {
      ...may('remove'),
      id: `remove${single}`,
      summary: `Delete ${noun}`,
      description: removalOf(resource),
      gives: deleted,
      problems: [
        ...(blockers === undefined || placeholder !== undefined ? [] : (['InUse'] as const)),
        ...(resource.keeps === undefined ? [] : (['MethodNotAllowed'] as const)),
      ],
    }),
  ]
  return all.filter(({ operation }) => !(omits as readonly string[]).includes(operation))
}
