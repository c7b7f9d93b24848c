/** Runs tasks of the same key one at a time, so that writers of one object do not make each other retry. */
export type KeyedMutex = <A>(name: string, task: () => Promise<A>) => Promise<A>

export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<unknown>>()
  return async (name, task) => {
    const before = last.get(name)
    const mine = before === undefined ? task() : before.then(task, task)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
