/**
 * Shares the event loop between tasks that work in slices. Adapters use it to implement the `turn` of a clock, and pass
 * the functions of the platform.
 */
export type EventLoop = {
  /** Calls back, in the order of the calls, after the event loop has handled the input that has arrived. */
  readonly afterInput: (callback: () => void) => void
  /** Milliseconds that never decrease. */
  readonly elapsed: () => number
}

/** Milliseconds for all slices between two reads of the input. The last slice may take longer. */
const share = 10

export const shareEventLoop = ({ afterInput, elapsed }: EventLoop): (() => Promise<void>) => {
  /** The end of the current share; null before the first slice since input was handled. */
  let end: number | null = null
  let latest = Promise.resolve()

  const start = (): void => {
    end = elapsed() + share
    afterInput(() => {
      end = null
    })
  }

  const wait = async (): Promise<void> => {
    await new Promise<void>((resolve) => afterInput(resolve))
    if (end === null) start()
  }

  // Not async: most slices begin at once, and each request has several.
  const begin = (): Promise<void> | undefined => {
    if (end === null) start()
    else if (elapsed() >= end) return wait()
    return undefined
  }

  // Each call is decided after the slice before it has ended.
  return () => (latest = latest.then(begin))
}
