import type { TaskEither } from '@publishing-service/domain'

/** Runs tasks of one name after the other, so that writers of one object don't make each other start over. */
export type KeyedMutex = <F, A>(name: string, task: TaskEither<F, A>) => TaskEither<F, A>

export const createKeyedMutex = (): KeyedMutex => {
  const last = new Map<string, Promise<unknown>>()
  return (name, task) => async () => {
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
