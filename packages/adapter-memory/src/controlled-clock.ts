/** A clock for tests: it stands still until it is told the time. */
import type { Clock } from '@publishing-service/ports'

export type ControlledClock = Clock & {
  /** Moves the time on by so many milliseconds; back for a negative number. */
  readonly advance: (milliseconds: number) => void
  /** Sets the time, in milliseconds since 1970. */
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
  return {
    now: () => time,
    advance: (milliseconds) => {
      time = whole(time + milliseconds)
    },
    set: (milliseconds) => {
      time = whole(milliseconds)
    },
  }
}
