import {
  pageLimits,
  pipe,
  TE,
  type JsonObject,
  type MemberList,
  type StoryList,
} from '@publishing-service/domain'
import {
  showMembers,
  type Precondition,
  type StoriesAddress,
  type UseCases,
} from '@publishing-service/application'
import { json, type Answer } from './answer.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { pageBody } from './object-operations.js'
import { membersOf, parameter, subjectOf, type InstanceRequest, type WireRequest } from './wire-request.js'

const storiesAddress = (request: WireRequest): StoriesAddress => {
  const { stories } = request.endpoint
  if (stories === undefined) throw new Error(`${request.endpoint.operation} has no list of stories`)
  return { homepageId: parameter(request, 'uuid'), list: stories }
}

/** What a write to a part of an object answers: what was done, and to what. */
const done = (request: InstanceRequest, msg: string) => (): Answer => {
  const uuid = parameter(request, 'uuid')
  return json({ msg, url: request.caller.links.object(subjectOf(request).collection, uuid), uuid })
}

const named = (list: StoryList): string => list.replace('_', ' ')

/**
 * A condition on a list that is read as rows is one on the first page of them, as it is read without parameters: that
 * is whose tag a client has.
 */
const onRows = (request: InstanceRequest, list: MemberList, bareLinks: boolean): Precondition | undefined => {
  const { precondition } = request
  if (precondition === undefined || list.rows === undefined) return precondition
  return (current) => {
    const items = current?.['items']
    if (!Array.isArray(items)) return precondition(current)
    const rows = items.slice(0, pageLimits.rpp).map((item) => [(item as JsonObject)['url'] ?? null])
    const page = { items: rows, page: 1, hasNext: items.length > pageLimits.rpp }
    return precondition(pageBody(request, page, bareLinks))
  }
}

/** Lists that stand in objects: members, earlier paths, stories (decisions §9, §11, §12). */
export const partOperations = (useCases: UseCases, { bareLinks }: HttpOptions) =>
  ({
    readMembers: (request) => {
      const list = membersOf(request)
      return pipe(
        useCases.readMembers(list, request.caller, parameter(request, 'uuid')),
        TE.map((members) => json({ items: showMembers(list, request.caller, members) })),
      )
    },
    replaceMembers: (request) => {
      const list = membersOf(request)
      const id = parameter(request, 'uuid')
      return pipe(
        useCases.replaceMembers(list, request.caller, id, request.input, onRows(request, list, bareLinks)),
        TE.map(done(request, `${list.shape.plural} updated`)),
      )
    },
    addMember: (request) => {
      const list = membersOf(request)
      const id = parameter(request, 'uuid')
      return pipe(
        useCases.addMember(list, request.caller, id, request.input, onRows(request, list, bareLinks)),
        TE.map(done(request, `${list.shape.plural.replace(/s$/, '')} added`)),
      )
    },
    readRelatedLinks: (request) =>
      pipe(
        useCases.readRelatedLinks(request.caller, parameter(request, 'uuid'), request.context.query),
        TE.map((items) => json({ items })),
      ),
    replaceRelatedLinks: (request) =>
      pipe(
        useCases.replaceRelatedLinks(
          request.caller,
          parameter(request, 'uuid'),
          request.input,
          request.precondition,
        ),
        TE.map(done(request, 'related links updated')),
      ),
    addRelatedLink: (request) =>
      pipe(
        useCases.addRelatedLink(
          request.caller,
          parameter(request, 'uuid'),
          request.input,
          request.precondition,
        ),
        TE.map(done(request, 'related link added')),
      ),
    readPathHistory: (request) =>
      pipe(
        useCases.readPathHistory(subjectOf(request), request.caller, parameter(request, 'uuid')),
        TE.map((items) => json({ items })),
      ),
    replacePathHistory: (request) => {
      const id = parameter(request, 'uuid')
      return pipe(
        useCases.replacePathHistory(
          subjectOf(request),
          request.caller,
          id,
          request.input,
          request.precondition,
        ),
        TE.map(done(request, 'path history updated')),
      )
    },
    addToPathHistory: (request) => {
      const id = parameter(request, 'uuid')
      return pipe(
        useCases.addToPathHistory(
          subjectOf(request),
          request.caller,
          id,
          request.input,
          request.precondition,
        ),
        TE.map(done(request, 'path added')),
      )
    },
    readStories: (request) =>
      pipe(useCases.readStories(request.caller, storiesAddress(request)), TE.map(json)),
    putStories: (request) => {
      const address = storiesAddress(request)
      return pipe(
        useCases.putStories(request.caller, address, request.input, request.precondition),
        TE.map(done(request, `${named(address.list)} updated`)),
      )
    },
  }) satisfies Partial<Handlers>
