/**
 * Concludes intents: applies those that are committed, and withdraws those that stay prepared, of this process and of others.
 * A process can end at any point; what it leaves is found by the next writer of a document, by a sweep, or at the start.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Appended } from '@publishing-service/ports'
import { applyChanges, insertAppended, release, releaseLate, type StoredIn } from './apply-intent.js'
import { forAll } from './for-all.js'
import type { Intent, Intents, ListedIntent } from './intents.js'
import type { Mark } from './marks.js'
import { mongodbFailure } from './mongodb-failure.js'

/** Since when a writer, or this process, knows of intents, by their ids. */
export type Known = Map<string, number>

export type Concluder = {
  /**
   * Works on an intent of this process, and concludes it in the background: by `rest`, or as its state demands if the work
   * fails. Other writers of this process wait for that. `appended` is what the intent appends.
   */
  readonly own: <A>(
    id: string,
    work: () => Promise<readonly [result: A, rest: () => Promise<void>]>,
    appended?: readonly Appended[],
  ) => Promise<A>
  /** What is left to do once the changes of an intent are applied. */
  readonly complete: (intent: Intent) => Promise<void>
  /** Removes an intent that is not committed, with its marks. */
  readonly discard: (intent: Intent) => Promise<void>
  /** Waits a while for the intent of a mark, or concludes it. The mark can still hold its document. */
  readonly settle: (mark: Mark, known: Known) => Promise<void>
  /** Whether an intent is known to have been concluded. */
  readonly isConcluded: (id: string) => boolean
  /** Applies all committed intents. */
  readonly applyAll: () => Promise<void>
  /** Concludes the intents that others have left. */
  readonly sweep: () => Promise<void>
  /** Resolves when what is meant is there, of that which was appended by writes of this process which have returned. */
  readonly completed: (isMeant: (appended: Appended) => boolean) => Promise<void>
  /** Resolves when no intent of this process is left. */
  readonly idle: () => Promise<void>
}

/** Intents that a process remembers to have been concluded. */
const mostConcluded = 10_000

/** Milliseconds that a writer waits for a prepared intent, and longer for each part. Nobody waits for those that a sweep finds. */
const patience = { writer: 2000, sweep: 6000, part: 20 } as const

export const concluderOf = (intents: Intents, storedIn: StoredIn): Concluder => {
  /** The intents of this process, until they are concluded. */
  const running = new Map<string, Promise<void>>()
  /** What is left to do of those of them whose writes have returned, and what they append. */
  const completing = new Map<Promise<void>, readonly Appended[]>()
  const found: Known = new Map()
  const concluded = new Set<string>()
  let isSweeping = false

  const forget = (id: string): void => {
    if (concluded.size >= mostConcluded) concluded.clear()
    concluded.add(id)
  }

  const complete = async (intent: Intent): Promise<void> => {
    await insertAppended(intent, storedIn)
    await release(intent.id, intent.parts, 'applied', storedIn)
    await intents.remove(intent.id)
    forget(intent.id)
  }

  const discard = async ({ id, parts }: Intent): Promise<void> => {
    await release(id, parts, 'withdrawn', storedIn)
    await intents.remove(id)
    forget(id)
  }

  const conclude = async (intent: Intent): Promise<void> => {
    if (intent.state !== 'committed' && (await intents.withdraw(intent.id))) return discard(intent)
    const committed = intent.state === 'committed' ? intent : await intents.read(intent.id)
    if (committed === null) return
    await applyChanges(committed, storedIn)
    await complete(committed)
  }

  const concludeNamed = async (id: string): Promise<void> => {
    const intent = await intents.read(id)
    if (intent === null) await intents.remove(id)
    else await conclude(intent)
  }

  const knownSince = (id: string, known: Known): number => {
    const since = known.get(id) ?? performance.now()
    known.set(id, since)
    return since
  }

  /** Whether an intent is not waited for any longer, if a prepared one is for some milliseconds. */
  const isOverdue = (id: string, { state, size }: ListedIntent, known: Known, waiting: number): boolean => {
    const limit = state === 'prepared' ? waiting + patience.part * size : 0
    const since = knownSince(id, known)
    return performance.now() - since > limit
  }

  const own: Concluder['own'] = async (id, work, appended = []) => {
    let ended: () => void = () => undefined
    running.set(id, new Promise((resolve) => (ended = resolve)))
    const conclusionBy = async (rest: () => Promise<void>): Promise<void> => {
      try {
        await rest()
      } catch (error) {
        // A sweep concludes it.
        if (mongodbFailure(error) === null) throw error
      } finally {
        running.delete(id)
        ended()
      }
    }
    const concludeBy = (rest: () => Promise<void>): void => {
      const conclusion = conclusionBy(rest)
      completing.set(conclusion, appended)
      void conclusion.finally(() => completing.delete(conclusion))
    }
    try {
      const [result, rest] = await work()
      concludeBy(rest)
      return result
    } catch (error) {
      concludeBy(() => concludeNamed(id))
      throw error
    }
  }

  return {
    own,
    complete,
    discard,
    isConcluded: (id) => concluded.has(id),
    settle: async (mark, known) => {
      const { intent: id } = mark
      const ofThisProcess = running.get(id)
      if (ofThisProcess !== undefined && performance.now() - knownSince(id, known) < patience.writer) {
        // Not until it ends: it may only have released this document, and wait for another.
        await Promise.race([ofThisProcess, pause(50)])
        return
      }
      const intent = await intents.read(id)
      if (intent === null) {
        forget(id)
        return releaseLate(mark, storedIn)
      }
      const { state, parts } = intent
      if (state !== 'prepared' || isOverdue(id, { state, size: parts.length }, known, patience.writer))
        await conclude(intent)
      else await pause(5 + 30 * Math.random())
    },
    applyAll: async () => {
      const committed = [...(await intents.list())].filter(([, { state }]) => state === 'committed')
      for (const [id] of committed) await concludeNamed(id)
    },
    sweep: async () => {
      if (isSweeping) return
      isSweeping = true
      try {
        const listed = [...(await intents.list())].filter(([id]) => !running.has(id))
        const due = listed.filter(([id, each]) => isOverdue(id, each, found, patience.sweep))
        for (const id of found.keys()) if (!listed.some(([other]) => other === id)) found.delete(id)
        await forAll(due, ([id]) => concludeNamed(id))
      } finally {
        isSweeping = false
      }
    },
    completed: async (isMeant) => {
      const meant = [...completing].filter(([, appended]) => appended.some(isMeant))
      await Promise.allSettled(meant.map(([conclusion]) => conclusion))
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}
