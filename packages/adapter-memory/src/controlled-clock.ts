/** A clock for tests: its times change only when a test sets them. Its turns are those of the event loop. */
import { fairTurns, type Clock } from '@publishing-service/ports'

export type ControlledClock = Clock & {
  /** Moves both times forward. A negative number steps the wall clock back; elapsed time stays. */
  readonly advance: (milliseconds: number) => void
  /** Sets the wall clock, in milliseconds since 1970. Elapsed time follows it forward, never back. */
  readonly set: (milliseconds: number) => void
}

const whole = (milliseconds: number): number => {
  if (!Number.isSafeInteger(milliseconds))
    throw new RangeError(`not a whole number of milliseconds: ${milliseconds}`)
  return milliseconds
}

/** A clock that shows this time, in milliseconds since 1970; a fraction is a defect and thrown. */
export const controlledClock = (start: number): ControlledClock => {
  let time = whole(start)
  let elapsed = 0
  const set = (milliseconds: number): void => {
    const before = time
    time = whole(milliseconds)
    elapsed += Math.max(0, time - before)
  }
  return {
    now: () => time,
    monotonic: () => elapsed,
    turn: fairTurns({ afterInput: setImmediate, elapsed: () => performance.now() }),
    advance: (milliseconds) => set(time + milliseconds),
    set,
  }
}
