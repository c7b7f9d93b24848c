import { notFound, pipe, TE, type Problem, type Resource } from '@publishing-service/domain'
import type { Document, DocumentStore } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { InTurn } from '../in-turn.js'
import { checkPrecondition, type Precondition } from './precondition.js'

const attempts = 20

const inUse = (by: string): Problem => ({ _tag: 'InUse', by })

/**
 * What goes with an object that was deleted; it can't keep the object from being gone. Another may stand under its id
 * by then, so only what the deleted document itself names may go.
 */
export type Aftermath = (deleted: Document) => Outcome<void>

/**
 * Deletes an object, then what goes with it, by collection. References to it read as null from then on
 * (decisions §2.7).
 */
export const createRemoveObject = (
  documents: DocumentStore,
  inTurn: InTurn,
  aftermaths: Readonly<Record<string, Aftermath>>,
) => {
  const unused = (resource: Resource, caller: Caller, id: string): Outcome<void> =>
    (resource.blockers ?? []).reduce<Outcome<void>>(
      (before, { collection, key, what }) =>
        pipe(
          before,
          TE.chainW(() =>
            documents.find(collection, caller.instance.number, {
              where: [{ key, equals: id }],
              order: [],
              skip: 0,
              limit: 1,
              detail: 'light',
            }),
          ),
          TE.chainW((page) =>
            page.documents.length === 0 ? TE.right(undefined) : TE.left<Failure>(inUse(what)),
          ),
        ),
      TE.right(undefined),
    )

  const attempt = (
    resource: Resource,
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    left: number,
  ): Outcome<Document> =>
    pipe(
      documents.get(resource.collection, caller.instance.number, id),
      TE.chainW((current) => (current === null ? TE.left<Failure>(notFound) : TE.right(current))),
      TE.chainFirst((current) => checkPrecondition(documents)(resource, caller, id, current, precondition)),
      TE.chainFirst(() => unused(resource, caller, id)),
      TE.chain((current) =>
        pipe(
          documents.remove(resource.collection, caller.instance.number, id, current.version),
          TE.map(() => current),
          TE.orElse((failure) => {
            if (failure._tag !== 'VersionConflict') return TE.left<Failure>(failure)
            return left > 0 ? attempt(resource, caller, id, precondition, left - 1) : TE.left(contended)
          }),
        ),
      ),
    )

  return (resource: Resource, caller: Caller, id: string, precondition?: Precondition): Outcome<void> =>
    pipe(
      inTurn(
        `${caller.instance.number}/${resource.collection}/${id}`,
        attempt(resource, caller, id, precondition, attempts),
      ),
      TE.chain((deleted) => aftermaths[resource.collection]?.(deleted) ?? TE.right(undefined)),
    )
}
