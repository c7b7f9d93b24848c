/** Returns a function that reserves serial numbers and returns the first of them. No other request has these numbers. */
export const serials = (start = 1): ((count: number) => number) => {
  let next = start
  return (count) => {
    const first = next
    next += count
    return first
  }
}
