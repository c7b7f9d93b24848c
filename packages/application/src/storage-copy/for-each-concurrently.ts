/** Processes the items of an iteration with limited concurrency. */

/** Rejects with the first failure, after all running items have ended. */
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
