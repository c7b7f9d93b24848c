/** Runs two calls in turns and returns the shortest milliseconds of each, which other work of the machine does not lengthen. */
export const shortestTimes = async (
  some: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<readonly [some: number, other: number]> => {
  const shortest: [number, number] = [Infinity, Infinity]
  for (let turn = 0; turn < 20; turn += 1)
    for (const [i, call] of [some, other].entries()) {
      const start = performance.now()
      await call()
      shortest[i] = Math.min(shortest[i] ?? Infinity, performance.now() - start)
    }
  return shortest
}
