/**
 * Bodies of bytes for tests of blob stores: made on the way, told apart by their seed, and compared by digest.
 * None of them needs more memory than one chunk, so that what a test measures is the store's.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** Bytes that differ from place to place and from seed to seed, so that a shifted or mixed copy shows. */
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

/** A body that breaks off with an error behind these bytes, as a lost connection does. */
export async function* brokenOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes)
  throw new Error('the connection was lost')
}

export const collect = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The descriptors that this process holds, or null where the system doesn't tell. */
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

/** Bytes of memory in use after everything that nobody holds was given back. */
export const memoryInUse = async (): Promise<MemoryInUse> => {
  collectGarbage()
  // Buffers are given back one turn behind the collection that found them.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  const usage = process.memoryUsage()
  return { buffers: usage.external, resident: usage.rss }
}
