/**
 * Positions in the order of commits. A writer inserts documents at the positions after the highest that it knows, in ascending
 * order, and a unique index lets only one writer have each. So a document is visible before one with a higher position is
 * inserted. A process has one command at a time, which inserts all that wait, so that only writers of different processes are
 * rejected: what precedes the rejected document is inserted, and the rest follows the highest position, which is read again.
 */
import { type Collection, MongoBulkWriteError, MongoServerError } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'
import type { NewStored, StoredDocument } from './stored-document.js'

export type CommitOrder = {
  /**
   * Inserts a document at the next position, near this one if the instance has none, and returns the position. `rejection` says
   * why a unique index rejects the document; null if it is the position.
   */
  readonly insertNext: <R>(
    document: NewStored,
    atLeast: number,
    rejection: () => Promise<R | null>,
  ) => Promise<number | R>
  /**
   * Shows a hidden document of an instance at the next position, by a function that returns whether it was still hidden. Returns
   * the position, or null if another process has shown it.
   */
  readonly showNext: (
    instance: number,
    atLeast: number,
    showAt: (position: number) => Promise<boolean>,
  ) => Promise<number | null>
}

type Waiting = {
  readonly atLeast: number
  readonly failed: (error: unknown) => void
} & (
  | {
      readonly document: NewStored
      readonly inserted: (position: number) => void
      /** Ends the waiting if it is not the position that is rejected; else returns false. */
      readonly isRejected: () => Promise<boolean>
    }
  | {
      readonly showAt: (position: number) => Promise<boolean>
      readonly shown: (position: number | null) => void
    }
)

/**
 * Positions without documents begin at a multiple of this number, a day in microseconds, so that two processes that find none
 * use the same.
 */
const coarse = 86_400_000_000

/** FerretDB 1 stops after a rejection only within so many documents of a command. */
const mostAtOnce = 100

export const commitOrder = (documents: Collection<StoredDocument>): CommitOrder => {
  /** The highest positions that this process has found or given, by instance. */
  const known = new Map<number, number>()
  /** The documents of each instance that are inserted next. */
  const queues = new Map<number, Waiting[]>()

  const highest = async (instance: number): Promise<number | null> => {
    const options = { sort: { sequence: -1 }, projection: { sequence: 1 } } as const
    return (await documents.findOne({ instance }, options))?.sequence ?? null
  }

  /** Inserts documents in ascending order, and returns how many; `failure` is null if a unique index rejects the next one. */
  const insertAll = async (
    batch: readonly StoredDocument[],
  ): Promise<{ readonly count: number; readonly failure: unknown }> => {
    try {
      await documents.insertMany([...batch])
      return { count: batch.length, failure: null }
    } catch (failure) {
      if (failure instanceof MongoBulkWriteError && isDuplicate(failure))
        return { count: failure.insertedCount, failure: null }
      if (!(failure instanceof MongoServerError)) throw failure
      // FerretDB does not say what it has inserted before it failed.
      const names = { _id: { $in: batch.map(({ _id }) => _id) }, sequence: { $gte: batch[0]?.sequence ?? 0 } }
      return { count: await documents.countDocuments(names), failure }
    }
  }

  const insertFirst = async (instance: number, queue: Waiting[], first: Waiting): Promise<void> => {
    const last = known.get(instance) ?? (await highest(instance))
    known.delete(instance)
    const start = last === null ? Math.ceil(first.atLeast / coarse) * coarse : last + 1
    if ('showAt' in first) {
      try {
        const isShown = await first.showAt(start)
        queue.shift()
        first.shown(isShown ? start : null)
        if (isShown && last !== null) known.set(instance, start)
      } catch (error) {
        if (!isDuplicate(error)) throw error
      }
      return
    }
    // Another process that has found no document may begin elsewhere: the highest position is read after the first insertion.
    const end = queue.findIndex((each) => 'showAt' in each)
    const batch = queue
      .slice(0, last === null ? 1 : Math.min(mostAtOnce, end === -1 ? mostAtOnce : end))
      .flatMap((each) => ('showAt' in each ? [] : [each]))
    const { count, failure } = await insertAll(
      batch.map(({ document }, index) => ({ ...document, sequence: start + index })),
    )
    queue.splice(0, count)
    for (const [index, { inserted }] of batch.slice(0, count).entries()) inserted(start + index)
    if (failure !== null) throw failure
    if (count < batch.length) {
      if (await batch[count]?.isRejected()) queue.shift()
    } else if (last !== null) known.set(instance, start + count - 1)
  }

  const insertWaiting = async (instance: number, queue: Waiting[]): Promise<void> => {
    for (let first = queue[0]; first !== undefined; [first] = queue) {
      const tried = queue.slice(0, mostAtOnce)
      try {
        await insertFirst(instance, queue, first)
      } catch (error) {
        for (const each of tried) if (queue[0] === each) queue.shift()?.failed(error)
      }
    }
    queues.delete(instance)
  }

  const wait = (instance: number, waiting: Waiting): void => {
    const queue = queues.get(instance)
    if (queue !== undefined) {
      queue.push(waiting)
      return
    }
    const started = [waiting]
    queues.set(instance, started)
    void insertWaiting(instance, started)
  }

  return {
    insertNext: (document, atLeast, rejection) =>
      new Promise((resolve, failed) => {
        const isRejected = async () => {
          const reason = await rejection()
          if (reason !== null) resolve(reason)
          return reason !== null
        }
        wait(document.instance, { document, atLeast, inserted: resolve, isRejected, failed })
      }),
    showNext: (instance, atLeast, showAt) =>
      new Promise((shown, failed) => wait(instance, { showAt, atLeast, shown, failed })),
  }
}
