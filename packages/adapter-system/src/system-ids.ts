/** New names from the system's own source of randomness. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Ids } from '@publishing-service/ports'

/** 256 bits. */
const secretBytes = 32
/** 120 bits, 20 characters. */
const nameBytes = 15

export const systemIds: Ids = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(secretBytes).toString('base64url'),
  name: () => randomBytes(nameBytes).toString('base64url'),
}
