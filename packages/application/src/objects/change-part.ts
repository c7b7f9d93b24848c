/** Writes of a part of an object with a separate address, such as a list. */
import {
  badParameters,
  draftFaults,
  E,
  pipe,
  TE,
  withComputed,
  type ItemsDraft,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { Failure, Outcome } from '../failure.js'
import type { Session } from '../session.js'
import { loadReferencedObjects, lookupsOfReferences } from './load-references.js'
import { requirePrecondition } from './precondition.js'
import { writableBy } from './update-document.js'

export type PartChange = {
  /** The part as the caller reads it, null if there is none. Called only if there is a precondition. */
  readonly show: (state: JsonObject) => Outcome<JsonObject | null>
  /** The object with the changed part. */
  readonly change: (state: JsonObject) => Outcome<JsonObject>
}

/** Changes a part of an object, if the precondition is met. */
export const changePart = (
  session: Session,
  resource: Resource,
  id: string,
  { show, change }: PartChange,
): Outcome<void> => {
  const { precondition } = session
  return pipe(
    session.update(writableBy(resource, session), id, (state) =>
      pipe(
        precondition === undefined
          ? change(state)
          : pipe(
              show(state),
              TE.chainEitherKW((shown) => requirePrecondition(precondition, shown)),
              TE.chain(() => change(state)),
            ),
        TE.map((changed) => withComputed(resource, changed)),
      ),
    ),
    TE.map(() => undefined),
  )
}

/** BadParameters if a draft has faults or refers to objects that do not exist for the caller. */
export const checkDraft = (
  session: Session,
  draft: Pick<ItemsDraft, 'faults' | 'references'>,
): Outcome<void> =>
  pipe(
    loadReferencedObjects(session, lookupsOfReferences(draft.references)),
    TE.chainEitherKW((found) => {
      const faults = draftFaults(draft, found)
      return faults.length > 0 ? E.left<Failure>(badParameters(faults)) : E.right(undefined)
    }),
  )
