import {
  jsonEqual,
  notFound,
  pipe,
  TE,
  uniqueTextOf,
  writeProblem,
  type JsonObject,
  type Problem,
  type Resource,
} from '@publishing-service/domain'
import type { Caller } from '../caller.js'
import { contended, failIf, type Failure, type Outcome } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { KeyedMutex } from '../keyed-mutex.js'

const attempts = 20

type Change = (value: JsonObject) => Outcome<JsonObject>

/** A collection, with the unique text of each of its documents. */
export type Target = { readonly collection: string; readonly unique: (value: JsonObject) => string | null }

/** A collection, and which of its documents the caller may change. */
export type WritableTarget = Target & {
  /** Why the caller may not change a document with this value; null if it may. */
  readonly rejection: (value: JsonObject) => Problem | null
  /** Whether a change may use the storage reserve. */
  readonly urgent?: true
}

/**
 * Changes the value of one document by a function, and returns the new value. The function receives the current value
 * at each attempt. NotFound if the document does not exist.
 */
export const createUpdateDocument = (documents: InstanceDocuments, exclusively: KeyedMutex) => {
  const attempt = (target: WritableTarget, id: string, change: Change, left: number): Outcome<JsonObject> =>
    pipe(
      documents.get(target.collection, id),
      TE.chainW((current) => (current === null ? TE.left<Failure>(notFound) : TE.right(current))),
      TE.chainFirst(({ value }) => failIf(target.rejection(value))),
      TE.chain((current) =>
        pipe(
          change(current.value),
          TE.chain((value) =>
            jsonEqual(value, current.value)
              ? TE.right(value)
              : pipe(
                  documents.replace(target.collection, {
                    id,
                    version: current.version,
                    unique: target.unique(value),
                    value,
                    ...(target.urgent ? { urgent: true } : {}),
                  }),
                  TE.map(() => value),
                  TE.orElse((failure): Outcome<JsonObject> => {
                    if (failure._tag === 'VersionConflict')
                      return left > 0 ? attempt(target, id, change, left - 1) : TE.left(contended)
                    if (failure._tag === 'DocumentTooLarge')
                      return TE.left({ _tag: 'TooLarge', limit: failure.limit })
                    return failure._tag === 'PortFailure' ? TE.left(failure) : TE.left(contended)
                  }),
                ),
          ),
        ),
      ),
    )

  return (target: WritableTarget, id: string, rule: Change): Outcome<JsonObject> =>
    exclusively(`${target.collection}/${id}`, attempt(target, id, rule, attempts))
}

export type UpdateDocument = ReturnType<typeof createUpdateDocument>

export const targetOf = (resource: Resource): Target => ({
  collection: resource.collection,
  unique: (value) => uniqueTextOf(resource, value),
})

/** The objects of a resource that the caller may change. */
export const writableBy = (resource: Resource, caller: Caller): WritableTarget => ({
  ...targetOf(resource),
  rejection: (value) => writeProblem(resource, caller, { before: value, after: value }),
})
