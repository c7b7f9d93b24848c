/** Writes of a part of an object that has an address of its own, such as a list in it. */
import {
  badParameters,
  draftFaults,
  E,
  pipe,
  TE,
  type ItemsDraft,
  type JsonObject,
  type Resource,
} from '@publishing-service/domain'
import type { Failure, Outcome } from '../failure.js'
import type { Session } from '../operation.js'
import { loadReferencedObjects, lookupsOfReferences } from './load-references.js'
import { requirePrecondition } from './precondition.js'
import { writableBy } from './update-document.js'

export type PartChange = {
  /** The part as the caller reads it, null where there is none: shown only where there is a precondition on it. */
  readonly show: (state: JsonObject) => Outcome<JsonObject | null>
  /** The object with the changed part. */
  readonly change: (state: JsonObject) => Outcome<JsonObject>
}

/** Changes a part of an object where the precondition permits it. */
export const changePart = (
  session: Session,
  resource: Resource,
  id: string,
  { show, change }: PartChange,
): Outcome<void> => {
  const { precondition } = session
  return pipe(
    session.update(writableBy(resource, session), id, (state) =>
      precondition === undefined
        ? change(state)
        : pipe(
            show(state),
            TE.chainEitherKW((shown) => requirePrecondition(precondition, shown)),
            TE.chain(() => change(state)),
          ),
    ),
    TE.map(() => undefined),
  )
}

/** BadParameters where a draft has faults, or refers to what does not exist for the caller. */
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
