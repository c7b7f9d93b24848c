/** Processes the values of an iteration, a few at a time, and holds no more than those. */

/** Rejects with the first failure, once all that was under way has ended. */
export const forEachConcurrently = async <A>(
  items: AsyncIterable<A>,
  concurrency: number,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.asyncIterator]()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    try {
      for (
        let next = await iterator.next();
        next.done !== true && failures.length === 0;
        next = await iterator.next()
      )
        await work(next.value)
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await iterator.return?.()
  if (failures.length > 0) throw failures[0]
}
