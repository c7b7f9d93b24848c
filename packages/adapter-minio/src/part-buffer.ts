/** Memory for one part of an upload: as large as the part has grown, at most the size of a part, and used again. */

type PartBuffer = {
  /** Copies the beginning of the bytes, as much as there is room for, and tells how much. */
  readonly add: (bytes: Uint8Array) => number
  readonly isFull: () => boolean
  readonly isEmpty: () => boolean
  /** What was added since the last take: a view of this buffer, valid until the next `add`. */
  readonly take: () => Buffer
}

/** What it has before it has a whole part. Few steps: what was outgrown stays until the garbage is collected. */
const steps = [64 * 1024, 1024 * 1024]

export const partBuffer = (size: number): PartBuffer => {
  let memory = Buffer.alloc(0)
  let held = 0

  const grow = (wanted: number): void => {
    if (wanted <= memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.min(size, steps.find((step) => step >= wanted) ?? size))
    memory.copy(larger, 0, 0, held)
    memory = larger
  }

  return {
    add: (bytes) => {
      const count = Math.min(bytes.length, size - held)
      grow(held + count)
      memory.set(bytes.subarray(0, count), held)
      held += count
      return count
    },
    isFull: () => held === size,
    isEmpty: () => held === 0,
    take: () => {
      const taken = memory.subarray(0, held)
      held = 0
      return taken
    },
  }
}
