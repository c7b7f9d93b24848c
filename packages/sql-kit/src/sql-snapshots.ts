/** Snapshots of stores on SQL databases. */
import { pipe, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { DocumentStore, PortFailure } from '@publishing-service/ports'
import type { Dialect } from './dialect.js'
import { layoutNamed, type Layouts } from './layout.js'
import { ReadSteps } from './read-steps.js'
import type { Steps } from './statement.js'

/** A transaction that reads the state of one moment, with its own connection. */
export type ReadTransaction = {
  /** Reads that do not wait for each other run one after the other. */
  readonly read: <A>(steps: () => Steps<A>) => TaskEither<PortFailure, A>
  /** Idempotent. */
  readonly close: () => Promise<void>
}

export const sqlSnapshots = (
  { layouts, dialect }: { readonly layouts: Layouts; readonly dialect: Dialect },
  open: TaskEither<PortFailure, ReadTransaction>,
): DocumentStore['snapshot'] => {
  // What has committed is visible, also while an earlier transaction is active.
  const ofOneMoment: Dialect = { ...dialect, commitOrder: null }
  return () =>
    pipe(
      open,
      TE.map(({ read, close }) => {
        const collections = new Map<string, ReadSteps>()
        const named = (name: string): ReadSteps => {
          const found = collections.get(name) ?? new ReadSteps(layoutNamed(layouts, name), ofOneMoment)
          collections.set(name, found)
          return found
        }
        return {
          isOneMoment: true,
          get: (collection, instance, id) => read(() => named(collection).get(instance, id)),
          find: (collection, instance, query) => read(() => named(collection).find(instance, query)),
          close,
        }
      }),
    )
}
