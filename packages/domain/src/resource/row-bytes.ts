import { jsonBytes, type Json } from '../json.js'

/**
 * How many bytes a row has as JSON, with the comma after it, by the bytes of its values. A value that is repeated is
 * measured once.
 */
export const rowBytes = (
  names: readonly string[],
  row: readonly Json[],
  ofValue: (value: Json) => number = jsonBytes,
): number => {
  const sizes: number[] = []
  names.forEach((name, index) => {
    const first = names.indexOf(name)
    sizes.push(first < index ? (sizes[first] ?? 0) : ofValue(row[index] ?? null) + 1)
  })
  return sizes.reduce((sum, size) => sum + size, 2)
}
