import { readSync } from 'node:fs'

const standardInput = 0

/**
 * Reads the next original from standard input, on which originals follow each other. Reads synchronously, since the
 * process has nothing else to do. Exits if the service has ended.
 */
export const readOriginal = (bytes: number): Uint8Array => {
  const data = Buffer.allocUnsafeSlow(bytes)
  for (let length = 0; length < bytes;) {
    const read = readSync(standardInput, data, length, bytes - length, null)
    if (read === 0) process.exit()
    length += read
  }
  return data
}
