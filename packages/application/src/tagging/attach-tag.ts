import {
  attachTag as withTagging,
  badParameters,
  bodyUuidFaults,
  detachTag as withoutTagging,
  E,
  filterTaggings,
  findTagging,
  hasMaxTaggings,
  notFound,
  operations,
  pipe,
  tag,
  tagging,
  tagsOn,
  TE,
  viewOf,
  withComputed,
  type JsonObject,
} from '@publishing-service/domain'
import { valueContextOf, SessionView } from '../caller.js'
import type { Failure, Outcome } from '../failure.js'
import { requirePrecondition } from '../objects/precondition.js'
import { findVisible } from '../objects/read-object.js'
import { writableBy } from '../objects/update-document.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import { findTaggable, type Taggable } from './find-taggable.js'

/** One tag on one object, by one predicate (docs/behaviour/tags.md#taggings). */
type TaggingAddress = {
  readonly tagId: string
  readonly predicate: string
  readonly objectId: string
}

/** The object of a tagging, if it and the tag exist and the caller may see them; else NotFound. */
const findTaggedObject = (session: Session, { tagId, objectId }: TaggingAddress): Outcome<Taggable> =>
  pipe(
    findVisible(session, tag, tagId),
    TE.chain(() => findTaggable(session, objectId)),
  )

const show = (
  session: Session,
  { tagId, predicate, objectId }: TaggingAddress,
  state: JsonObject,
): JsonObject | null => {
  const found = findTagging(state, tagId, predicate)
  return found === undefined ? null : viewOf(tagging, found, new SessionView(session, objectId))
}

/** A tagging; NotFound where the tag isn’t on the object. */
export const readTagging: ReadOperation<TaggingAddress, JsonObject> = {
  ...operations.readTagging,
  run: (session, address) =>
    pipe(
      findTaggedObject(session, address),
      TE.chainEitherKW(({ document }) => {
        const found = show(session, address, document.value)
        return found === null ? E.left(notFound) : E.right(found)
      }),
    ),
}

const changeTagging = (
  session: Session,
  address: TaggingAddress,
  rule: (taggable: Taggable, state: JsonObject) => Outcome<JsonObject>,
): Outcome<void> =>
  pipe(
    findTaggedObject(session, address),
    TE.chain((taggable) =>
      session.update(writableBy(taggable.resource, session), address.objectId, (state) =>
        pipe(
          TE.fromEither(requirePrecondition(session.precondition, show(session, address, state))),
          TE.chain(() => rule(taggable, state)),
          TE.map((next) => withComputed(taggable.resource, next)),
        ),
      ),
    ),
    TE.map(() => undefined),
  )

/** The state of an object, without taggings of deleted tags if it has the maximum number of taggings. */
const withCapacity = ({ documents }: Session, state: JsonObject): Outcome<JsonObject> =>
  hasMaxTaggings(state)
    ? pipe(
        documents.getMany(tag.collection, tagsOn(state), 'light'),
        TE.map((tags) => new Set(tags.map(({ id }) => id))),
        TE.map((existing) => filterTaggings(state, (id) => existing.has(id))),
      )
    : TE.right(state)

/** Attaches a tag; an attached tag keeps its date if the body has none. */
export const attachTag: WriteOperation<TaggingAddress & { readonly body: JsonObject }, void> = {
  ...operations.attachTag,
  changed: ({ tagId }) => ({ object: tagId }),
  run: (session, { body, ...address }) => {
    const { tagId, predicate, objectId } = address
    const context = valueContextOf(session)
    const uuidFaults = bodyUuidFaults(body, objectId)
    return changeTagging(session, address, ({ collection }, state) =>
      pipe(
        withCapacity(session, state),
        TE.chainEitherKW((base): E.Either<Failure, JsonObject> => {
          const given = { tag: tagId, predicate }
          const next = withTagging(collection, base, given, body, { now: session.localTime, context })
          if (E.isLeft(next)) return E.left(badParameters([...uuidFaults, ...next.left]))
          return uuidFaults.length > 0 ? E.left(badParameters(uuidFaults)) : next
        }),
      ),
    )
  },
}

/** Detaches a tag; NotFound if it is not attached. */
export const detachTag: WriteOperation<TaggingAddress, void> = {
  ...operations.detachTag,
  changed: ({ tagId }) => ({ object: tagId }),
  run: (session, address) =>
    changeTagging(session, address, (_taggable, state) =>
      findTagging(state, address.tagId, address.predicate) === undefined
        ? TE.left(notFound)
        : TE.right(withoutTagging(state, address.tagId, address.predicate)),
    ),
}
