/** A reusable buffer for one part of an upload. It grows with the data, up to the size of a part. */
type PartBuffer = {
  /** Copies as many bytes as fit, from the beginning, and returns their number. */
  readonly add: (bytes: Uint8Array) => number
  readonly isFull: () => boolean
  readonly isEmpty: () => boolean
  /** Returns and removes the data: a view of the buffer, valid until the next `add`. */
  readonly take: () => Buffer
}

/** Sizes before that of a whole part. Only two, since smaller buffers stay in memory until they are collected. */
const smallSizes = [64 * 1024, 1024 * 1024]

export const partBuffer = (size: number): PartBuffer => {
  let memory = Buffer.alloc(0)
  let length = 0

  const grow = (wanted: number): void => {
    if (wanted <= memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.min(size, smallSizes.find((each) => each >= wanted) ?? size))
    memory.copy(larger, 0, 0, length)
    memory = larger
  }

  return {
    add: (bytes) => {
      const count = Math.min(bytes.length, size - length)
      grow(length + count)
      memory.set(bytes.subarray(0, count), length)
      length += count
      return count
    },
    isFull: () => length === size,
    isEmpty: () => length === 0,
    take: () => {
      const taken = memory.subarray(0, length)
      length = 0
      return taken
    },
  }
}
