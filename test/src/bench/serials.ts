/** Hands out numbers that no other request of the run has: the first of so many. */
export const serials = (): ((count: number) => number) => {
  let next = 1
  return (count) => {
    const first = next
    next += count
    return first
  }
}
