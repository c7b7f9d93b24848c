/** The clock, identifiers and checksums of this machine. */
import { randomBytes, randomUUID, createHash } from 'node:crypto'
import {
  growingPositions,
  shareEventLoop,
  type Clock,
  type Ids,
  type Checksum,
} from '@publishing-service/ports'

const elapsed = performance.now.bind(performance)

export const systemClock: Clock = {
  now: Date.now,
  monotonic: elapsed,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref()),
  position: growingPositions(Date.now, Math.random),
  turn: shareEventLoop({ afterInput: setImmediate, elapsed }),
}

/** 256 bits. */
const secretBytes = 32
/** 120 bits, 20 characters. */
const nameBytes = 15

/** Identifiers from the random source of the system. */
export const systemIds: Ids = {
  uuid: randomUUID,
  secret: () => randomBytes(secretBytes).toString('base64url'),
  name: () => randomBytes(nameBytes).toString('base64url'),
}

/** A new SHA-256 checksum. */
export const sha256Checksum = (): Checksum => {
  const hash = createHash('sha256')
  return {
    add: (piece) => void hash.update(piece),
    value: () => hash.digest('hex'),
  }
}
