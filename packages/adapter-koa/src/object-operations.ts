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

type Page = Pick<Listing, 'page' | 'hasNext'>

/** The numbers of the pages beside one. */
const neighbours = ({ page, hasNext }: Page): Readonly<Record<string, number>> => ({
  ...(hasNext ? { next: page + 1 } : {}),
  ...(page > 1 ? { prev: page - 1 } : {}),
})

type Asked = Pick<InstanceRequest, 'context' | 'base'>

const linksOf = ({ context, base }: Asked, page: Page, bare: boolean): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(neighbours(page)).map(([relation, target]) => {
      const query = pageQuery(context.query, target)
      return [relation, bare ? query : `${base}${context.path}?${query}`]
    }),
  )

/** One page of a collection with the links to its neighbours (specification, Collections; decisions §4.4). */
export const pageBody = (request: Asked, listing: Listing, bareLinks: boolean): JsonObject => ({
  items: listing.items,
  ...linksOf(request, listing, bareLinks),
})

/** The same, with the links in a header too, where they are always absolute. */
export const pageAnswer = (request: Asked, listing: Listing, bareLinks: boolean): Answer =>
  json(pageBody(request, listing, bareLinks), linkHeader(linksOf(request, listing, false)))

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
