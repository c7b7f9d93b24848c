import { readSync } from 'node:fs'

const standardInput = 0

/**
 * Reads the next original from standard input, which holds one original after the other; its job states its length. The
 * process has nothing else to do meanwhile, so it waits for the data, and ends when its service has ended.
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
