/** Runs processes over one store in every order of their store calls, and with a crash at each call. */
import type { TaskEither } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'

/** A store whose calls wait until they are released. */
const gated = (run: Gates, gate: () => Promise<void>): DocumentStore => {
  const { store } = run
  const through =
    <F, A>(collections: readonly string[], task: TaskEither<F, A>): TaskEither<F, A> =>
    async () => {
      if (collections.some((each) => run.collections.includes(each))) await gate()
      return task()
    }
  return {
    ...store,
    get: (...call) => through([call[0]], store.get(...call)),
    getRelated: (instance, related) =>
      through(
        related.documents.map(({ collection }) => collection),
        store.getRelated(instance, related),
      ),
    find: (...call) => through([call[0]], store.find(...call)),
    write: (instance, changes, appended) =>
      through(
        changes.map(({ collection }) => collection),
        store.write(instance, changes, appended),
      ),
  }
}

/** The results of the processes; null for one that crashed. */
export type Results<A> = readonly (A | null)[]

type Gates = {
  readonly store: DocumentStore
  /** Calls on these collections are tested in every order; effects on others do not depend on it. */
  readonly collections: readonly string[]
}

type Run<A> = Gates & {
  /** A turn of the event loop, for other things that a process waits for. */
  readonly turn: () => Promise<void>
  /** How many times processes crash in one run, at most. */
  readonly crashes: number
  /** Each with a separate view of the store. */
  readonly processes: readonly ((documents: DocumentStore) => Promise<A>)[]
  /** Checks the final state. Throws if it is wrong. */
  readonly verify: (answers: Results<A>) => Promise<void>
}

/** One run; `choose` selects one of the possible steps, the first of which are not crashes. */
const runOnce = async <A>(run: Run<A>, choose: (ways: number, calls: number) => number): Promise<void> => {
  // A process can have several calls at once. They are released in their order.
  const waiting = new Map<number, readonly (() => void)[]>()
  const answers: (A | null)[] = run.processes.map(() => null)
  let running = run.processes.length
  run.processes.forEach((process, index) => {
    const documents = gated(
      run,
      () => new Promise((open) => void waiting.set(index, [...(waiting.get(index) ?? []), open])),
    )
    void (async () => {
      answers[index] = await process(documents)
      running -= 1
    })()
  })
  let { crashes } = run
  for (;;) {
    // Every running process reaches its next call, or its end.
    while (waiting.size < running) await run.turn()
    if (running === 0) break
    const waitingProcesses = [...waiting.keys()].toSorted((a, b) => a - b)
    // A process that crashes never makes the call that it waits with; all of them crash if one process runs both.
    const choices: (() => void)[] = waitingProcesses.map((index) => () => {
      const [open, ...later] = waiting.get(index) ?? []
      if (later.length > 0) waiting.set(index, later)
      else waiting.delete(index)
      open?.()
    })
    if (crashes > 0)
      for (const crashing of waitingProcesses.length > 1
        ? [...waitingProcesses.map((each) => [each]), waitingProcesses]
        : [waitingProcesses])
        choices.push(() => {
          crashes -= 1
          for (const index of crashing) waiting.delete(index)
          running -= crashing.length
        })
    choices[choose(choices.length, waitingProcesses.length)]?.()
  }
  await run.verify(answers)
}

/** A random sequence of steps: one in ten is a crash. */
const byChance = (ways: number, calls: number): number =>
  Math.floor(Math.random() * (Math.random() < 0.1 ? ways : calls))

/**
 * Resolves with the number of runs that there were; rejects with what the first failing one threw, and its steps.
 * With `sample`, makes so many runs that are chosen by chance, instead of all.
 */
export const everyInterleaving = async <A>(
  begin: () => Promise<Run<A>>,
  sample = Infinity,
): Promise<number> => {
  let way: { readonly taken: number; readonly of: number }[] = []
  for (let count = 1; ; count += 1) {
    const steps: { readonly taken: number; readonly of: number }[] = []
    const planned = way
    const choose = (ways: number, calls: number): number => {
      const taken = sample === Infinity ? (planned[steps.length]?.taken ?? 0) : byChance(ways, calls)
      steps.push({ taken, of: ways })
      return taken
    }
    try {
      await runOnce(await begin(), choose)
    } catch (error) {
      const taken = steps.map((step) => step.taken).join(' ')
      throw new Error(`run ${count}, by the way ${taken}: ${String(error)}`, { cause: error })
    }
    const last = steps.findLastIndex((step) => step.taken + 1 < step.of)
    if (sample === Infinity ? last === -1 : count === sample) return count
    way = steps
      .slice(0, last + 1)
      .map((step, index) => (index === last ? { ...step, taken: step.taken + 1 } : step))
  }
}
