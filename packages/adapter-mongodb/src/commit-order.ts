/**
 * Positions in the order of commits. A writer inserts documents at the positions after the highest that it knows, in ascending
 * order, and a unique index lets only one writer have each. So a document is visible before one with a higher position is
 * inserted. A process has one command at a time, which inserts all that wait, so that only writers of different processes are
 * rejected: what precedes the rejected document is inserted, and the rest follows the highest position, which is read again.
 */
import { type Collection, MongoBulkWriteError, MongoServerError } from 'mongodb'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredDocument } from './stored-document.js'

type NextDocument = Omit<StoredDocument, 'sequence'>

export type CommitOrder = {
  /**
   * Inserts a document at the next position, near this one if the instance has none, and returns the position. `rejection` says
   * why a unique index rejects the document; null if it is the position.
   */
  readonly insertNext: <R>(
    document: NextDocument,
    atLeast: number,
    rejection: () => Promise<R | null>,
  ) => Promise<number | R>
}

type Waiting = {
  readonly document: NextDocument
  readonly atLeast: number
  readonly inserted: (position: number) => void
  /** Ends the waiting if it is not the position that is rejected; else returns false. */
  readonly isRejected: () => Promise<boolean>
  readonly failed: (error: unknown) => void
}

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

  const insertFirst = async (instance: number, queue: Waiting[]): Promise<void> => {
    const last = known.get(instance) ?? (await highest(instance))
    known.delete(instance)
    // Another process that has found no document may begin elsewhere: the highest position is read after the first insertion.
    const batch = queue.slice(0, last === null ? 1 : mostAtOnce)
    const start = last === null ? Math.ceil((queue[0]?.atLeast ?? 0) / coarse) * coarse : last + 1
    const { count, failure } = await insertAll(
      batch.map(({ document }, index) => ({ ...document, sequence: start + index })),
    )
    for (const [index, { inserted }] of queue.splice(0, count).entries()) inserted(start + index)
    if (failure !== null) throw failure
    if (count < batch.length) {
      if (await queue[0]?.isRejected()) queue.shift()
    } else if (last !== null) known.set(instance, start + count - 1)
  }

  const insertWaiting = async (instance: number, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const tried = queue.slice(0, mostAtOnce)
      try {
        await insertFirst(instance, queue)
      } catch (error) {
        for (const each of tried) if (queue[0] === each) queue.shift()?.failed(error)
      }
    }
    queues.delete(instance)
  }

  return {
    insertNext: (document, atLeast, rejection) =>
      new Promise((resolve, failed) => {
        const isRejected = async () => {
          const reason = await rejection()
          if (reason !== null) resolve(reason)
          return reason !== null
        }
        const waiting = { document, atLeast, inserted: resolve, isRejected, failed }
        const queue = queues.get(document.instance)
        if (queue !== undefined) queue.push(waiting)
        else {
          const started = [waiting]
          queues.set(document.instance, started)
          void insertWaiting(document.instance, started)
        }
      }),
  }
}
