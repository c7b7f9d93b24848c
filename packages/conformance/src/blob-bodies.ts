/**
 * Bodies for tests of blob stores. A seed makes each different, and digests compare them. They need the memory of one
 * chunk, so that a test measures the memory of the store.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** Pseudorandom bytes, the same for the same seed, so that a shifted or mixed copy is detected. */
export const seededBytes = (length: number, seed: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = (seed * 2_654_435_761 + 1) >>> 0
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

export async function* inChunks(bytes: Uint8Array, chunk = 64 * kibibyte): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
}

/** A body that fails after these bytes, like a lost connection. */
export async function* interrupted(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes)
  throw new Error('the connection was lost')
}

export const collect = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The number of open descriptors of this process, or null if the system does not report it. */
export const openDescriptors = async (): Promise<number | null> => {
  try {
    return (await readdir('/proc/self/fd')).length
  } catch {
    return null
  }
}

const collectGarbage = ((): (() => void) => {
  setFlagsFromString('--expose-gc')
  const collector: unknown = runInNewContext('gc')
  if (typeof collector !== 'function') throw new Error('this runtime has no garbage collector to call')
  return () => {
    collector()
  }
})()

export type MemoryInUse = { readonly buffers: number; readonly resident: number }

/** Bytes of memory in use after a garbage collection. */
export const memoryInUse = async (): Promise<MemoryInUse> => {
  collectGarbage()
  // Buffers are released one turn of the event loop after the collection that found them.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  const usage = process.memoryUsage()
  return { buffers: usage.external, resident: usage.rss }
}
