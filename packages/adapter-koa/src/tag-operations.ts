import { pipe, TE } from '@publishing-service/domain'
import type { TaggingAddress, UseCases } from '@publishing-service/application'
import { json } from './answer.js'
import type { Handlers } from './handlers.js'
import type { HttpOptions } from './http-options.js'
import { pageAnswer } from './object-operations.js'
import { membersOf, parameter, subjectOf, type WireRequest } from './wire-request.js'

const taggingAddress = (request: WireRequest): TaggingAddress => ({
  tagId: parameter(request, 'uuid'),
  predicate: parameter(request, 'predicate'),
  objectId: parameter(request, 'object_uuid'),
})

/** Attaching tags, and what follows from them (decisions §11, §12). */
export const tagOperations = (useCases: UseCases, { bareLinks }: HttpOptions) =>
  ({
    readTagging: (request) =>
      pipe(useCases.readTagging(request.caller, taggingAddress(request)), TE.map(json)),
    putTagging: (request) => {
      const address = taggingAddress(request)
      const { tagId, predicate, objectId } = address
      return pipe(
        useCases.putTagging(request.caller, address, request.input, request.precondition),
        TE.map(() => json({ url: request.caller.links.tagging(tagId, predicate, objectId), uuid: objectId })),
      )
    },
    removeTagging: (request) =>
      pipe(
        useCases.removeTagging(request.caller, taggingAddress(request), request.precondition),
        TE.map(() => json({ msg: 'deleted' })),
      ),
    listTags: (request) =>
      pipe(
        useCases.listTags(
          subjectOf(request),
          request.caller,
          parameter(request, 'uuid'),
          request.parameters['predicate'] ?? null,
        ),
        TE.map((items) => json({ items })),
      ),
    listTagged: (request) =>
      pipe(
        useCases.listTagged(
          request.caller,
          parameter(request, 'uuid'),
          parameter(request, 'predicate'),
          request.context.query,
        ),
        TE.map((listing) => pageAnswer(request, listing, bareLinks)),
      ),
    readCategoryTags: (request) =>
      pipe(
        useCases.listMembers(
          membersOf(request),
          request.caller,
          parameter(request, 'uuid'),
          request.context.query,
        ),
        TE.map((listing) => pageAnswer(request, listing, bareLinks)),
      ),
    readTagCategories: (request) =>
      pipe(
        useCases.listTagCategories(request.caller, parameter(request, 'uuid'), request.context.query),
        TE.map((listing) => pageAnswer(request, listing, bareLinks)),
      ),
    readTagCloud: (request) =>
      pipe(
        useCases.readTagCloud(request.caller, request.context.query),
        TE.map((items) => json({ items })),
      ),
  }) satisfies Partial<Handlers>
