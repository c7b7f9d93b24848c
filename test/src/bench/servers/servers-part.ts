/** The part of the bench on real servers. Without servers it is skipped, and prints the command that builds them. */
import { lackOfServers } from '../../../servers/dist/index.js'
import type { LoadDriver } from '../load-driver.js'
import type { BenchOptions } from '../options.js'
import {
  blobNames,
  measureBlobs,
  measureMemory,
  memoryName,
  type BlobResult,
  type MemoryResult,
} from './measure-blobs.js'
import { measureReads, readNames, type ReadResult } from './measure-reads.js'
import { startStores } from './stores.js'

export const serverNames: readonly string[] = [...readNames, ...blobNames, memoryName]

export type ServersResults = {
  readonly reads: readonly ReadResult[]
  readonly blobs: readonly BlobResult[]
  readonly memory: MemoryResult | null
  /** The rows that weren't measured, and why; null if all were. */
  readonly leftOut: { readonly names: readonly string[]; readonly reason: string } | null
}

/** FerretDB reads a whole collection for a page: few objects keep that from drowning all else. */
const objects = { full: 300, quick: 200 } as const

const none: Omit<ServersResults, 'leftOut'> = { reads: [], blobs: [], memory: null }

export const runServers = async (
  options: BenchOptions,
  names: readonly string[],
  driver: LoadDriver,
  progress: (text: string) => void,
): Promise<ServersResults> => {
  const lack = await lackOfServers()
  if (lack !== null) return { ...none, leftOut: { names, reason: lack } }
  const isQuick = options.rounds === 1
  const stores = await startStores(isQuick ? objects.quick : objects.full, progress)
  try {
    return {
      reads: await measureReads(options, names, stores, driver, progress),
      blobs: names.some((name) => blobNames.includes(name))
        ? await measureBlobs(options, names, stores, progress)
        : [],
      memory: names.includes(memoryName) ? await measureMemory(options, stores, progress) : null,
      leftOut: null,
    }
  } finally {
    await stores.stop()
  }
}
