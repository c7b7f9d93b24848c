/** A clock for tests, whose time changes only when a test sets it. `turn` uses the event loop. */
import { growingPositions, shareEventLoop, type Clock } from '@publishing-service/ports'

export type ControlledClock = Clock & {
  /** Moves both times forward. A negative number moves only the wall clock back. */
  readonly advance: (milliseconds: number) => void
  /** Sets the wall clock, in milliseconds since 1970. The elapsed time follows it only forward. */
  readonly set: (milliseconds: number) => void
}

const wholeMilliseconds = (milliseconds: number): number => {
  if (!Number.isSafeInteger(milliseconds))
    throw new RangeError(`not a whole number of milliseconds: ${milliseconds}`)
  return milliseconds
}

/** Starts at this time, in milliseconds since 1970. Throws a RangeError for a fraction. */
export const controlledClock = (start: number): ControlledClock => {
  let time = wholeMilliseconds(start)
  let elapsed = 0
  let waiting: readonly { readonly until: number; readonly resolve: () => void }[] = []
  const set = (milliseconds: number): void => {
    const before = time
    time = wholeMilliseconds(milliseconds)
    elapsed += Math.max(0, time - before)
    const over = waiting.filter(({ until }) => until <= elapsed)
    waiting = waiting.filter(({ until }) => until > elapsed)
    for (const { resolve } of over) resolve()
  }
  return {
    now: () => time,
    monotonic: () => elapsed,
    wait: (milliseconds) =>
      new Promise((resolve) => {
        if (milliseconds <= 0) resolve()
        else waiting = [...waiting, { until: elapsed + milliseconds, resolve }]
      }),
    position: growingPositions(() => time),
    turn: shareEventLoop({ afterInput: setImmediate, elapsed: () => performance.now() }),
    advance: (milliseconds) => set(time + milliseconds),
    set,
  }
}
