/** Bundles of instances, as zips. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  throwRejection,
  type CreateBundleFile,
  type NewBundle,
  type StoredBundle,
} from '@publishing-service/application'

const damaged = (problem: string): never => throwRejection({ _tag: 'ExportDamaged', problem })

/** Opens a bundle. Throws what `unreadable` throws if the file is no zip; its data throws ExportDamaged where it is damaged. */
export const openBundle = async (
  path: string,
  unreadable: (problem: string) => never,
): Promise<StoredBundle & { readonly close: () => void }> => {
  const { UnreadableZip, ZipReader } = await import('@publishing-service/zip-files')
  const problemOf = (error: unknown): string => {
    if (error instanceof UnreadableZip) return error.message
    throw error
  }
  const zip = await ZipReader.open(path).catch((error: unknown) => unreadable(problemOf(error)))
  async function* data(name: string): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* zip.chunks(name)
    } catch (error) {
      damaged(`${name}: ${problemOf(error)}`)
    }
  }
  async function* text(name: string): AsyncGenerator<string, void, void> {
    const decoder = new TextDecoder()
    for await (const chunk of data(name)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  return { sizeOf: (name) => zip.sizeOf(name), text, data, close: () => zip.close() }
}

/** Begins a bundle, which has its name once it is complete. */
export const createBundle = async (
  path: string,
  time: Date,
): Promise<NewBundle & { readonly complete: () => Promise<void>; readonly abandon: () => Promise<void> }> => {
  const { ZipWriter } = await import('@publishing-service/zip-files')
  const zip = await ZipWriter.create(path, time)
  return {
    add: (name, content, form) => zip.add(name, content, form === 'compressed'),
    complete: () => zip.complete(),
    abandon: () => zip.abandon(),
  }
}

/** Creates a bundle in a temporary file. */
export const temporaryBundle: CreateBundleFile = async (time) => {
  const folder = await mkdtemp(join(tmpdir(), 'publishing-export-'))
  const path = join(folder, 'bundle.zip')
  const { add, complete, abandon } = await createBundle(path, time)
  return {
    add,
    complete: async () => {
      await complete()
      return (await stat(path)).size
    },
    read: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
    remove: async () => {
      await abandon()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
