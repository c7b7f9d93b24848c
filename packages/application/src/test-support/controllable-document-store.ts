/** A document store whose calls a test can delay or fail. */
import { E, type TaskEither } from '@publishing-service/domain/fp'
import {
  growingPositions,
  singleChanges,
  singleReads,
  type Change,
  type DocumentStore,
  type PortFailure,
} from '@publishing-service/ports'
import type { Documents } from '../ports.js'
import { unavailable } from './stage.js'

type Call = 'get' | 'getRelated' | 'find' | Change['kind']

export type Held = {
  /** Resolves when the call was made. */
  readonly reached: Promise<void>
  readonly release: () => void
}

type Plan = { readonly call: Call; readonly collection: string } & (
  | { readonly kind: 'hold'; readonly when: 'before' | 'after'; reach: () => void; released: Promise<void> }
  | { readonly kind: 'fail'; readonly applied: boolean }
)

export type ControllableStore = Documents & {
  /** The next such call waits, before or after its execution, until it is released. */
  readonly hold: (call: Call, collection: string, when?: 'before' | 'after') => Held
  /** The next such call returns a PortFailure; `applied`: whether it is executed nevertheless. */
  readonly fail: (call: Call, collection: string, applied?: boolean) => void
}

const position = growingPositions(() => 0)

const opened = (): { readonly promise: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}

/** A store that is controlled by a test. */
export const controllableStore = (store: DocumentStore): ControllableStore => {
  const plans: Plan[] = []
  const nextPlan = (call: Call, collection: string): Plan | undefined => {
    const at = plans.findIndex((plan) => plan.call === call && plan.collection === collection)
    return at === -1 ? undefined : plans.splice(at, 1)[0]
  }

  const controlled =
    <F, A>(call: Call, collection: string, task: TaskEither<F, A>): TaskEither<F | PortFailure, A> =>
    async () => {
      const plan = nextPlan(call, collection)
      if (plan === undefined) return task()
      if (plan.kind === 'fail') {
        if (plan.applied) await task()
        return E.left(unavailable)
      }
      if (plan.when === 'after') {
        const result = await task()
        plan.reach()
        await plan.released
        return result
      }
      plan.reach()
      await plan.released
      return task()
    }

  const write: DocumentStore['write'] = (instance, changes, appended) =>
    changes.reduce(
      (task, { kind, collection }) => controlled(kind, collection, task),
      store.write(instance, changes, appended),
    )

  const getRelated: DocumentStore['getRelated'] = (instance, related) =>
    related.documents.reduce(
      (task, { collection }) => controlled('getRelated', collection, task),
      store.getRelated(instance, related),
    )

  return {
    ...store,
    get: (collection, instance, id) => controlled('get', collection, store.get(collection, instance, id)),
    getRelated,
    find: (collection, instance, query) =>
      controlled('find', collection, store.find(collection, instance, query)),
    write,
    ...singleChanges({ write }, position),
    ...singleReads({ getRelated }),
    hold: (call, collection, when = 'before') => {
      const [reaching, releasing] = [opened(), opened()]
      plans.push({ kind: 'hold', call, collection, when, reach: reaching.open, released: releasing.promise })
      return { reached: reaching.promise, release: releasing.open }
    },
    fail: (call, collection, applied = false) => {
      plans.push({ kind: 'fail', call, collection, applied })
    },
  }
}
