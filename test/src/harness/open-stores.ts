/**
 * Stores that a test opens itself, in order to read or damage their data, or to start several services on them.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContainer, tokens } from '@publishing-service/composition-root'
import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import {
  configurationOf,
  copyFirstData,
  moduleProviding,
  connectionSettingsFor,
  type TestParts,
} from './start-test-service.js'

export type OpenStores = {
  readonly documents: DocumentStore
  readonly blobs: BlobStore
  /** Closes the stores and removes their data. */
  readonly close: () => Promise<void>
}

/** Opens stores of the kinds in the environment: empty ones, or embedded ones with the data of a first start. */
export const openStores = async (
  environment: Readonly<Record<string, string>>,
  content: 'nothing' | 'first data',
): Promise<OpenStores> => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'publishing-stores-'))
  if (content === 'first data') await copyFirstData(DATA_DIR)
  const configuration = configurationOf({
    DATA_DIR,
    ...(await connectionSettingsFor(environment)),
    ...environment,
  })
  const container = createContainer(configuration)
  return {
    documents: await container.getAsync(tokens.documents),
    blobs: await container.getAsync(tokens.blobs),
    close: async () => {
      await container.unbindAll()
      await rm(DATA_DIR, { recursive: true, force: true })
    },
  }
}

/** The modules that make a service use these stores. */
export const modulesUsing = ({ documents, blobs }: Pick<OpenStores, 'documents' | 'blobs'>): TestParts => ({
  documents: moduleProviding(tokens.documents, documents),
  blobs: moduleProviding(tokens.blobs, blobs),
})

/** The result of a task. Throws if it fails. */
export const successOf = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

/** The keys of all blobs, sorted. */
export const blobKeys = async ({ blobs }: Pick<OpenStores, 'blobs'>): Promise<readonly string[]> => {
  const keys: string[] = []
  for await (const { key } of blobs.list('')) keys.push(key)
  return keys.toSorted()
}

/** Writes a blob directly, for example with damaged data. */
export const putBlob = async ({ blobs }: Pick<OpenStores, 'blobs'>, key: string, bytes: Uint8Array) => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  await successOf(blobs.write(key, body(), bytes.length))
}

export const blobBytes = async ({ blobs }: Pick<OpenStores, 'blobs'>, key: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await successOf(blobs.read(key))).chunks) chunks.push(chunk)
  return Buffer.concat(chunks)
}
