import { pipe, TE, type JsonObject } from '@publishing-service/domain'
import type { Listing, UseCases } from '@publishing-service/application'
import { pageQuery } from '@publishing-service/http-contract'
import { json, type Answer, type Headers } from './answer.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { parameter, preconditionIn, resourceOf, type InstanceRequest } from './wire-request.js'

const deleted = json({ msg: 'deleted' })

const written = ({ caller }: InstanceRequest, collection: string, id: string): Answer =>
  json({ url: caller.links.object(collection, id), uuid: id })

const linkHeader = (links: Readonly<Record<string, string>>): Headers => {
  const entries = Object.entries(links)
  return entries.length === 0
    ? {}
    : { Link: entries.map(([relation, url]) => `<${url}>; rel="${relation}"`).join(', ') }
}

/** One page of a collection with the links to its neighbours (specification, Collections; decisions §4.4). */
export const pageAnswer = (
  { context, base }: Pick<InstanceRequest, 'context' | 'base'>,
  { items, page, hasNext }: Listing,
  bareLinks: boolean,
): Answer => {
  const query = (target: number) => pageQuery(context.query, target)
  const address = (target: number) => `${base}${context.path}?${query(target)}`
  const targets = { ...(hasNext ? { next: page + 1 } : {}), ...(page > 1 ? { prev: page - 1 } : {}) }
  const link = bareLinks ? query : address
  const body: JsonObject = {
    items,
    ...Object.fromEntries(Object.entries(targets).map(([relation, target]) => [relation, link(target)])),
  }
  const absolute = Object.fromEntries(
    Object.entries(targets).map(([relation, target]) => [relation, address(target)]),
  )
  return json(body, linkHeader(absolute))
}

/** The six operations that every resource has. */
export const objectOperations = (useCases: UseCases, { bareLinks }: HttpOptions) =>
  ({
    listObjects: (request) =>
      pipe(
        useCases.listObjects(resourceOf(request), request.caller, request.context.query),
        TE.map((listing) => pageAnswer(request, listing, bareLinks)),
      ),
    createObject: (request) =>
      pipe(
        useCases.writeObject(resourceOf(request), request.caller, {
          mode: 'put',
          id: null,
          input: request.input,
          ...preconditionIn(request),
        }),
        TE.map((id) => written(request, resourceOf(request).collection, id)),
      ),
    readObject: (request) =>
      pipe(
        useCases.readObject(resourceOf(request), request.caller, parameter(request, 'uuid')),
        TE.map(json),
      ),
    replaceObject: (request) => write(useCases, request, 'put'),
    changeObject: (request) => write(useCases, request, 'patch'),
    removeObject: (request) =>
      pipe(
        useCases.removeObject(
          resourceOf(request),
          request.caller,
          parameter(request, 'uuid'),
          request.precondition,
        ),
        TE.map(() => deleted),
      ),
  }) satisfies Partial<Handlers>

const write = (useCases: UseCases, request: InstanceRequest, mode: 'put' | 'patch') =>
  pipe(
    useCases.writeObject(resourceOf(request), request.caller, {
      mode,
      id: parameter(request, 'uuid'),
      input: request.input,
      ...preconditionIn(request),
    }),
    TE.map((id) => written(request, resourceOf(request).collection, id)),
  )
