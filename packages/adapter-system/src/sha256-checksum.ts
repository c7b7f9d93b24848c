/** Checksums by the system's own SHA-256. */
import { createHash } from 'node:crypto'
import type { Checksum } from '@publishing-service/ports'

/** A checksum of nothing yet. */
export const sha256Checksum = (): Checksum => {
  const hash = createHash('sha256')
  return {
    add: (piece) => void hash.update(piece),
    value: () => hash.digest('hex'),
  }
}
