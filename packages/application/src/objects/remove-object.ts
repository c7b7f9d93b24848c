import {
  E,
  notFound,
  pipe,
  TE,
  uniqueTextOf,
  withComputed,
  writeProblem,
  type JsonObject,
  type Placeholder,
  type Problem,
  type Resource,
} from '@publishing-service/domain'
import type { Document, WriteFailure } from '@publishing-service/ports'
import type { Caller } from '../caller.js'
import { contended, permitted, type Failure, type Outcome } from '../failure.js'
import type { KeyedMutex } from '../keyed-mutex.js'
import type { Ports } from '../ports.js'
import { everyPage } from './every-page.js'
import { recordRemoval } from './finish-removals.js'
import { marked, removeReferring, unmarked, withoutMark } from './held-references.js'
import { checkPrecondition, type Precondition } from './precondition.js'
import { unwritten } from './read-object.js'

const attempts = 20

const inUse = (by: string): Problem => ({ _tag: 'InUse', by })

/**
 * What goes with an object that was deleted; it can't keep the object from being gone. Another may stand under its id
 * by then, so only what the deleted document itself names may go.
 */
export type Aftermath = (deleted: Document) => Outcome<void>

/** A deletion that has happened: what became of the object, and its document before. */
type Ended = { readonly how: 'removed' | 'replaced'; readonly document: Document }

const batchSize = 100

/**
 * Deletes an object, then what goes with it, by collection. References to it read as null from then on
 * (decisions §2.7).
 */
export const createRemoveObject = (
  ports: Pick<Ports, 'documents' | 'clock' | 'ids'>,
  exclusively: KeyedMutex,
  aftermaths: Readonly<Record<string, Aftermath>>,
) => {
  const { documents } = ports

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

  const refusal = (failure: WriteFailure | Failure): Failure | 'again' => {
    switch (failure._tag) {
      case 'VersionConflict':
        return 'again'
      case 'DocumentTooLarge':
        return { _tag: 'TooLarge', limit: failure.limit }
      case 'UniqueConflict':
        return contended
      default:
        return failure
    }
  }

  /**
   * Removes an object that others may come to refer to in this moment: records the removal, marks the object, looks
   * for references once more, and removes the version that it has marked.
   */
  const removeReferable = (
    resource: Resource,
    caller: Caller,
    current: Document,
  ): TE.TaskEither<WriteFailure | Failure, void> => {
    const { number } = caller.instance
    return pipe(
      recordRemoval(ports, resource, number, current.id),
      TE.chainW(() => marked(documents, resource, number, current)),
      TE.chainW((own) =>
        pipe(
          unused(resource, caller, current.id),
          TE.orElse((failure) => async () => {
            // Should this fail, the next writer of a reference takes the mark back.
            if (failure._tag === 'InUse') await unmarked(documents, resource, number, own)()
            return E.left(failure)
          }),
          TE.chainW(() => documents.remove(resource.collection, number, own.id, own.version)),
        ),
      ),
    )
  }

  const removal = (
    resource: Resource,
    caller: Caller,
    current: Document,
  ): TE.TaskEither<WriteFailure | Failure, void> => {
    const { collection, blockers, dependents } = resource
    const { number } = caller.instance
    // What was never written is not stored.
    if (current.version === 0) return TE.right(undefined)
    if (blockers !== undefined) return removeReferable(resource, caller, current)
    const remove = documents.remove(collection, number, current.id, current.version)
    return dependents === undefined
      ? remove
      : pipe(
          recordRemoval(ports, resource, number, current.id),
          TE.chainW(() => remove),
        )
  }

  /** Replaces an object that others refer to by its placeholder. */
  const replaceByPlaceholder = (
    resource: Resource,
    placeholder: Placeholder<JsonObject>,
    caller: Caller,
    { id, version, value: current }: Document,
  ): TE.TaskEither<WriteFailure, void> => {
    if (placeholder.is(current)) return TE.right(undefined)
    const value = withComputed(resource, placeholder.of(withoutMark(current), caller.now))
    return pipe(
      documents.replace(resource.collection, caller.instance.number, {
        id,
        version,
        unique: uniqueTextOf(resource, value),
        value,
        urgent: true,
      }),
      TE.map(() => undefined),
    )
  }

  /** Removes the object, or leaves its placeholder where it has one and others refer to it; says which of both. */
  const end = (
    resource: Resource,
    caller: Caller,
    current: Document,
  ): TE.TaskEither<WriteFailure | Failure, 'removed' | 'replaced'> => {
    const { placeholder } = resource
    const whileUnused: TE.TaskEither<WriteFailure | Failure, 'removed' | 'replaced'> = pipe(
      unused(resource, caller, current.id),
      TE.chainW(() => removal(resource, caller, current)),
      TE.map(() => 'removed' as const),
    )
    if (placeholder === undefined) return whileUnused
    return pipe(
      whileUnused,
      TE.orElse((failure) =>
        failure._tag === 'InUse'
          ? pipe(
              // A reference that came during the removal has changed the version: the deletion starts over.
              replaceByPlaceholder(resource, placeholder, caller, current),
              TE.map(() => 'replaced' as const),
            )
          : TE.left(failure),
      ),
    )
  }

  /** Removes a placeholder that nothing refers to any more, then the one that it refers to. */
  const endPlaceholder = async (
    resource: Resource,
    caller: Caller,
    id: unknown,
  ): Promise<E.Either<Failure, void>> => {
    const { placeholder } = resource
    if (placeholder === undefined || typeof id !== 'string') return E.right(undefined)
    for (let left = attempts; left > 0; left -= 1) {
      const found = await documents.get(resource.collection, caller.instance.number, id)()
      if (E.isLeft(found)) return found
      if (found.right === null || !placeholder.is(found.right.value)) return E.right(undefined)
      const ended = await end(resource, caller, found.right)()
      if (E.isRight(ended))
        return ended.right === 'removed'
          ? endPlaceholder(resource, caller, found.right.value[placeholder.within])
          : E.right(undefined)
      const reason = refusal(ended.left)
      if (reason !== 'again') return E.left(reason)
    }
    // Another deletion is at work on it.
    return E.right(undefined)
  }

  /** Removes the objects that are deleted with the one that they refer to. */
  const removeDependents = async (
    { dependents = [] }: Resource,
    { instance: { number } }: Caller,
    id: string,
  ): Promise<E.Either<Failure, void>> => {
    for (const dependence of dependents) {
      const { collection, key } = dependence
      const found: string[] = []
      const read = await everyPage(documents, collection, number, [{ key, equals: id }], batchSize, (page) =>
        page.forEach((each) => found.push(each.id)),
      )()
      if (E.isLeft(read)) return read
      for (let start = 0; start < found.length; start += batchSize) {
        const batch = found.slice(start, start + batchSize)
        const removed = await Promise.all(
          batch.map((each) => removeReferring(documents, dependence, number, each, id)),
        )
        for (const outcome of removed)
          if (E.isLeft(outcome)) {
            const reason = refusal(outcome.left)
            return E.left(reason === 'again' ? contended : reason)
          }
      }
    }
    return E.right(undefined)
  }

  const attempt = (
    resource: Resource,
    caller: Caller,
    id: string,
    precondition: Precondition | undefined,
    left: number,
  ): Outcome<Ended> =>
    pipe(
      documents.get(resource.collection, caller.instance.number, id),
      TE.chainW((stored) => {
        const current = stored ?? unwritten(resource, id)
        return current === null ? TE.left<Failure>(notFound) : TE.right(current)
      }),
      TE.chainFirst(({ value }) => permitted(writeProblem(resource, caller, { before: value, after: null }))),
      TE.chainFirst((current) => checkPrecondition(documents)(resource, caller, id, current, precondition)),
      TE.chain((current) =>
        pipe(
          end(resource, caller, current),
          TE.map((how) => ({ how, document: current })),
          TE.orElse((failure: WriteFailure | Failure) => {
            const reason = refusal(failure)
            if (reason !== 'again') return TE.left(reason)
            return left > 0 ? attempt(resource, caller, id, precondition, left - 1) : TE.left(contended)
          }),
        ),
      ),
    )

  const follow = async (
    resource: Resource,
    caller: Caller,
    { how, document }: Ended,
  ): Promise<E.Either<Failure, void>> => {
    // The last object that refers to it can have gone since it was looked for.
    if (how === 'replaced') return endPlaceholder(resource, caller, document.id)
    const removed = await removeDependents(resource, caller, document.id)
    if (E.isLeft(removed)) return removed
    const aftermath = await (aftermaths[resource.collection]?.(document) ?? TE.right(undefined))()
    if (E.isLeft(aftermath) || resource.placeholder === undefined) return aftermath
    return endPlaceholder(resource, caller, document.value[resource.placeholder.within])
  }

  return (resource: Resource, caller: Caller, id: string, precondition?: Precondition): Outcome<void> => {
    const reason = resource.keeps?.(id) ?? null
    if (reason !== null)
      return TE.left({
        _tag: 'MethodNotAllowed',
        allowed: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'],
        hint: reason,
      })
    return pipe(
      exclusively(
        `${caller.instance.number}/${resource.collection}/${id}`,
        attempt(resource, caller, id, precondition, attempts),
      ),
      TE.chain((ended) => () => follow(resource, caller, ended)),
    )
  }
}
