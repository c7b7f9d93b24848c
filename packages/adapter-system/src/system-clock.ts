/** The time of this machine. */
import { fairTurns, type Clock } from '@publishing-service/ports'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  turn: fairTurns({ afterInput: setImmediate, elapsed: () => performance.now() }),
}
