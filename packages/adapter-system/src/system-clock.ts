/** The time of this machine. */
import type { Clock } from '@publishing-service/ports'

export const systemClock: Clock = { now: () => Date.now() }
