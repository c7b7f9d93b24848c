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
  let bytes = 2
  for (const [index, value] of row.entries()) {
    const first = names.indexOf(names[index] ?? '')
    const size = first < index ? (sizes[first] ?? 0) : ofValue(value) + 1
    sizes.push(size)
    bytes += size
  }
  return bytes
}
