import { badParameters, notFound, tag, tagging, viewOf } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  attachTag as withTagging,
  detachTag as withoutTagging,
  filterTaggings,
  findTagging,
  hasMaxTaggings,
  tagsOn,
} from '@publishing-service/domain/tags'
import { operations } from '@publishing-service/domain/roles'
import { bodyUuidFaults, withComputed } from '@publishing-service/domain/engine'
import { fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import { requirePrecondition } from '../engine/precondition.js'
import { findVisible } from '../engine/read-one.js'
import { changeObject } from '../engine/update-document.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import { SessionView, type Session } from '../session.js'
import { findTaggable, type FindTaggable, type Taggable } from './find-taggable.js'

/** One tag on one object, by one predicate (docs/behaviour/tags.md#taggings). */
export type TaggingAddress = {
  readonly tagId: string
  readonly predicate: string
  readonly objectId: string
}

const show = (
  session: Session,
  { tagId, predicate, objectId }: TaggingAddress,
  state: JsonObject,
): JsonObject | null => {
  const found = findTagging(state, tagId, predicate)
  return found === undefined ? null : viewOf(tagging, found, new SessionView(session, objectId))
}

/** The state of an object, without taggings of deleted tags if it has the maximum number of taggings. */
const withCapacity = async ({ documents }: Session, state: JsonObject): Promise<JsonObject> => {
  if (!hasMaxTaggings(state)) return state
  const tags = await documents.getMany(tag.collection, tagsOn(state), 'light')
  const existing = new Set(tags.map(({ id }) => id))
  return filterTaggings(state, (id) => existing.has(id))
}

/** Reads and changes the taggings of the objects that a function finds. */
export const taggingsOn = (find: FindTaggable) => {
  /** The object, if it and the tag exist and the caller may see them; else NotFound. */
  const findTaggedObject = async (
    session: Session,
    { tagId, objectId }: TaggingAddress,
  ): Promise<Taggable> => {
    await findVisible(session, tag, tagId)
    return find(session, objectId)
  }

  const change = async (
    session: Session,
    address: TaggingAddress,
    rule: (taggable: Taggable, state: JsonObject) => Promise<JsonObject>,
  ): Promise<void> => {
    const taggable = await findTaggedObject(session, address)
    await changeObject(session, taggable.resource, address.objectId, async (state) => {
      requirePrecondition(session.precondition, show(session, address, state))
      return withComputed(taggable.resource, await rule(taggable, state))
    })
  }

  return {
    read: async (session: Session, address: TaggingAddress): Promise<JsonObject> => {
      const { document } = await findTaggedObject(session, address)
      const found = show(session, address, document.value)
      if (found === null) fail(notFound)
      return found
    },

    attach: (
      session: Session,
      { body, ...address }: TaggingAddress & { readonly body: JsonObject },
    ): Promise<void> => {
      const { tagId, predicate, objectId } = address
      const context = valueContextOf(session)
      const uuidFaults = bodyUuidFaults(body, objectId)
      return change(session, address, async ({ collection }, state) => {
        const base = await withCapacity(session, state)
        const given = { tag: tagId, predicate }
        const next = withTagging(collection, base, given, body, { now: session.localTime, context })
        if (E.isLeft(next)) fail(badParameters([...uuidFaults, ...next.left]))
        if (uuidFaults.length > 0) fail(badParameters(uuidFaults))
        return next.right
      })
    },

    detach: (session: Session, address: TaggingAddress): Promise<void> =>
      change(session, address, async (_taggable, state) => {
        if (findTagging(state, address.tagId, address.predicate) === undefined) fail(notFound)
        return withoutTagging(state, address.tagId, address.predicate)
      }),
  }
}

const { read, attach, detach } = taggingsOn(findTaggable)

/** A tagging; NotFound where the tag isn’t on the object. */
export const readTagging: ReadOperation<TaggingAddress, JsonObject> = {
  ...operations.readTagging,
  run: read,
}

/** Attaches a tag; an attached tag keeps its date if the body has none. */
export const attachTag: WriteOperation<TaggingAddress & { readonly body: JsonObject }, void> = {
  ...operations.attachTag,
  changed: ({ tagId }) => ({ object: tagId }),
  run: attach,
}

/** Detaches a tag; NotFound if it is not attached. */
export const detachTag: WriteOperation<TaggingAddress, void> = {
  ...operations.detachTag,
  changed: ({ tagId }) => ({ object: tagId }),
  run: detach,
}
