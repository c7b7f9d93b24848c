import {
  jsonEqual,
  notFound,
  pipe,
  TE,
  uniqueTextOf,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { InTurn } from '../in-turn.js'

const attempts = 20

type Rule = (value: JsonObject) => Outcome<JsonObject>

/** What is updated: a resource, or a collection of the service's own. */
export type Target = { readonly collection: string; readonly unique: (value: JsonObject) => string | null }

/**
 * Changes what one document holds by a rule, and answers the new value. The rule sees the
 * newest value each time it is asked; NotFound where the document is gone.
 */
export const createUpdateDocument = (documents: DocumentStore, inTurn: InTurn) => {
  const attempt = (
    target: Target,
    instance: number,
    id: string,
    rule: Rule,
    left: number,
  ): Outcome<JsonObject> =>
    pipe(
      documents.get(target.collection, instance, id),
      TE.chainW((current) => (current === null ? TE.left<Failure>(notFound) : TE.right(current))),
      TE.chain((current) =>
        pipe(
          rule(current.value),
          TE.chain((value) =>
            jsonEqual(value, current.value)
              ? TE.right(value)
              : pipe(
                  documents.replace(target.collection, instance, {
                    id,
                    version: current.version,
                    unique: target.unique(value),
                    value,
                  }),
                  TE.map(() => value),
                  TE.orElse((failure): Outcome<JsonObject> => {
                    if (failure._tag === 'VersionConflict')
                      return left > 0 ? attempt(target, instance, id, rule, left - 1) : TE.left(contended)
                    if (failure._tag === 'DocumentTooLarge')
                      return TE.left({ _tag: 'TooLarge', limit: failure.limit })
                    return failure._tag === 'PortFailure' ? TE.left(failure) : TE.left(contended)
                  }),
                ),
          ),
        ),
      ),
    )

  return (target: Target, instance: number, id: string, rule: Rule): Outcome<JsonObject> =>
    inTurn(`${instance}/${target.collection}/${id}`, attempt(target, instance, id, rule, attempts))
}

export type UpdateDocument = ReturnType<typeof createUpdateDocument>

export const targetOf = (resource: Resource): Target => ({
  collection: resource.collection,
  unique: (value) => uniqueTextOf(resource, value),
})
