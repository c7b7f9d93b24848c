/**
 * Shares the event loop between those who work in slices: the implementation of a clock's `turn`, for adapters, which
 * bring what belongs to the platform.
 */
export type EventLoop = {
  /** Calls back, in the order of the calls, after the event loop has handled the input that has arrived. */
  readonly afterInput: (callback: () => void) => void
  /** Milliseconds that never decrease. */
  readonly elapsed: () => number
}

/** Milliseconds that the slices between two looks at the input may take together; the last may take longer. */
const share = 10

export const fairTurns = ({ afterInput, elapsed }: EventLoop): (() => Promise<void>) => {
  /** When the share ends that slices work on now; null before the first slice since input was handled. */
  let end: number | null = null
  let latest = Promise.resolve()

  const begin = async (): Promise<void> => {
    if (end !== null && elapsed() >= end) await new Promise<void>((resolve) => afterInput(resolve))
    if (end !== null) return
    end = elapsed() + share
    afterInput(() => {
      end = null
    })
  }

  // Each is decided once the slice before it has been worked on.
  return () => (latest = latest.then(begin))
}
