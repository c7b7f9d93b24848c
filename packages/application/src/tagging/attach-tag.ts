import {
  attachTag,
  badParameters,
  bodyUuidFaults,
  detachTag,
  E,
  findTagging,
  isFullOfTaggings,
  keepTaggings,
  notFound,
  pipe,
  tag,
  tagging,
  tagsOn,
  TE,
  viewOf,
  withComputed,
  type JsonObject,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { valueContextOf, viewBy, type Caller } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { permits, type Precondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { writableBy, type UpdateDocument } from '../objects/update-document.js'
import type { Deployment } from '../ports.js'
import { findTaggable, type Taggable } from './find-taggable.js'

/** One tag on one object, by one predicate (decisions §11). */
export type TaggingAddress = {
  readonly tagId: string
  readonly predicate: string
  readonly objectId: string
}

/** Both ends of a tagging exist and the caller may see them; else NotFound. */
const findEnds =
  (documents: DocumentStore) =>
  (caller: Caller, { tagId, objectId }: TaggingAddress): Outcome<Taggable> =>
    pipe(
      findVisible(documents)(tag, caller, tagId),
      TE.chain(() => findTaggable(documents)(caller, objectId)),
    )

const show = (
  caller: Caller,
  { tagId, predicate, objectId }: TaggingAddress,
  state: JsonObject,
): JsonObject | null => {
  const found = findTagging(state, tagId, predicate)
  return found === undefined ? null : viewOf(tagging, found, viewBy(caller, objectId))
}

/** A tagging as it is read: NotFound where the tag isn't on the object. */
export const readTagging =
  (documents: DocumentStore) =>
  (caller: Caller, address: TaggingAddress): Outcome<JsonObject> =>
    pipe(
      findEnds(documents)(caller, address),
      TE.chainEitherKW(({ document }) => {
        const found = show(caller, address, document.value)
        return found === null ? E.left(notFound) : E.right(found)
      }),
    )

const createChangeTagging =
  (documents: DocumentStore, update: UpdateDocument) =>
  (
    caller: Caller,
    address: TaggingAddress,
    precondition: Precondition | undefined,
    rule: (taggable: Taggable, state: JsonObject) => Outcome<JsonObject>,
  ): Outcome<void> =>
    pipe(
      findEnds(documents)(caller, address),
      TE.chain((taggable) =>
        update(writableBy(taggable.resource, caller), address.objectId, (state) =>
          pipe(
            TE.fromEither(permits(precondition, show(caller, address, state))),
            TE.chain(() => rule(taggable, state)),
            TE.map((next) => withComputed(taggable.resource, next)),
          ),
        ),
      ),
      TE.map(() => undefined),
    )

/** The object as it is, or where it is full without the taggings of deleted tags, which nobody sees. */
const withRoom =
  (documents: DocumentStore) =>
  ({ instance }: Caller, state: JsonObject): Outcome<JsonObject> =>
    isFullOfTaggings(state)
      ? pipe(
          documents.getMany(tag.collection, instance.number, tagsOn(state), 'light'),
          TE.map((tags) => new Set(tags.map(({ id }) => id))),
          TE.map((standing) => keepTaggings(state, (id) => standing.has(id))),
        )
      : TE.right(state)

/** Attaches a tag; again, it changes nothing. */
export const putTagging = (documents: DocumentStore, update: UpdateDocument, deployment: Deployment) => {
  const changeTagging = createChangeTagging(documents, update)
  return (
    caller: Caller,
    address: TaggingAddress,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> =>
    changeTagging(caller, address, precondition, ({ collection }, state) =>
      pipe(
        withRoom(documents)(caller, state),
        TE.chainEitherKW((roomy) => {
          const said = { tag: address.tagId, predicate: address.predicate }
          const context = valueContextOf(caller, deployment.streamingHosts)
          const told = bodyUuidFaults(input, address.objectId)
          return pipe(
            attachTag(collection, roomy, said, input, { now: caller.now, context }),
            E.mapLeft((faults): Failure => badParameters([...told, ...faults])),
            E.chain((next) => (told.length > 0 ? E.left(badParameters(told)) : E.right(next))),
          )
        }),
      ),
    )
}

/** Takes a tag off; NotFound where it isn't on. */
export const removeTagging = (documents: DocumentStore, update: UpdateDocument) => {
  const changeTagging = createChangeTagging(documents, update)
  return (caller: Caller, address: TaggingAddress, precondition?: Precondition): Outcome<void> =>
    changeTagging(caller, address, precondition, (_taggable, state) =>
      findTagging(state, address.tagId, address.predicate) === undefined
        ? TE.left(notFound)
        : TE.right(detachTag(state, address.tagId, address.predicate)),
    )
}
