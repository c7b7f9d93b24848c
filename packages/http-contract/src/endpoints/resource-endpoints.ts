import { segmentsOf, type Resource } from '@publishing-service/domain'
import type { Endpoint, Method, ResourceOperation } from '../endpoint.js'
import { standard } from './standard.js'

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a')

/** The operations of a resource (specification, Meaning of HTTP methods; decisions §4.8). */
export const resourceEndpoints = (resource: Resource): readonly Endpoint[] => {
  const { collection, name, omits = [], deprecated, timed } = resource
  const list = `/{iid}/${segmentsOf(resource)}`
  const object = `${list}/{uuid}`
  const endpoint = (
    operation: ResourceOperation,
    method: Method,
    path: string,
    summary: string,
    rest: Partial<Endpoint> & Pick<Endpoint, 'permission'>,
  ): Endpoint => ({
    ...standard,
    operation,
    method,
    path,
    summary,
    resource,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(timed ? { timed } : {}),
    ...rest,
  })
  const may = (action: 'read' | 'create' | 'update' | 'remove') => ({
    permission: { subject: collection, action },
  })
  const noun = `${article(name)} ${name}`
  const all = [
    endpoint('listObjects', 'GET', list, `List ${segmentsOf(resource)}`, {
      ...may('read'),
      caching: 'object',
      rows: resource,
    }),
    endpoint('createObject', 'POST', list, `Create ${noun} under a new UUID`, {
      ...may('create'),
      body: 'object',
    }),
    endpoint('readObject', 'GET', object, `Read ${noun}`, { ...may('read'), caching: 'object' }),
    endpoint('replaceObject', 'PUT', object, `Create or replace ${noun}`, {
      ...may('update'),
      body: 'object',
    }),
    endpoint('changeObject', 'PATCH', object, `Change attributes of ${noun}`, {
      ...may('update'),
      body: 'object',
    }),
    endpoint('removeObject', 'DELETE', object, `Delete ${noun}`, may('remove')),
  ]
  return all.filter(({ operation }) => !(omits as readonly string[]).includes(operation))
}
