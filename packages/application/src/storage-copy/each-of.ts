/** Processes the values of an iteration, a few at a time, and holds no more than those. */

/** Rejects with the first failure, once all that was under way has ended. */
export const eachOf = async <A>(
  things: AsyncIterable<A>,
  atOnce: number,
  work: (thing: A) => Promise<void>,
): Promise<void> => {
  const iterator = things[Symbol.asyncIterator]()
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
  await Promise.all(Array.from({ length: atOnce }, worker))
  await iterator.return?.()
  if (failures.length > 0) throw failures[0]
}
