/** The median and the range of some numbers. */
export type Spread = { readonly least: number; readonly median: number; readonly most: number }

export const spreadText = ({ least, median, most }: Spread): string =>
  [least, median, most].map((value) => value.toFixed(2)).join(' – ')

export const spreadOf = (numbers: readonly number[]): Spread => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return {
    least: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    most: at(sorted.length - 1),
  }
}
