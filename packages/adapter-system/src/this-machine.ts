/** What this machine itself gives: the time, new names and checksums. */
import { randomBytes, randomUUID, createHash } from 'node:crypto'
import { shareEventLoop, type Clock, type Ids, type Checksum } from '@publishing-service/ports'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  turn: shareEventLoop({ afterInput: setImmediate, elapsed: () => performance.now() }),
}

/** 256 bits. */
const secretBytes = 32
/** 120 bits, 20 characters. */
const nameBytes = 15

/** New names from the system's own source of randomness. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(secretBytes).toString('base64url'),
  name: () => randomBytes(nameBytes).toString('base64url'),
}

/** A checksum of nothing yet, by the system's own SHA-256. */
export const sha256Checksum = (): Checksum => {
  const hash = createHash('sha256')
  return {
    add: (piece) => void hash.update(piece),
    value: () => hash.digest('hex'),
  }
}
