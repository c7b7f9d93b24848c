/** Two publications in memory with objects of many kinds, and the contents of stores, for tests of copies. */
import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { content, file, section, tag } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  type BlobStore,
  type Checksum,
  type Collection,
  type Document,
  type DocumentStore,
} from '@publishing-service/ports'
import { collections } from '../collections.js'
import { uploadFile } from '../files/upload-file.js'
import { removeObject } from '../engine/remove.js'
import { changeObject } from '../engine/write.js'
import type { SourceStores } from '../storage-copy/content.js'
import type { CopyFailure } from '../storage-copy/copy-failure.js'
import type { CopyProgress, CopyResult, CopyTools } from '../storage-copy/copy-run.js'
import { copyStorage, exportStorage, importStorage } from '../storage-copy/copy-storage.js'
import type { Documents } from '../ports.js'
import { attachTag } from '../tags/attach-tag.js'
import { bytesOf, textOf } from './ascii.js'
import { memoryDocuments } from './memory-documents.js'
import { article, aSection, createStage, right, type Stage } from './stage.js'

export type Stores = { readonly documents: Documents; readonly blobs: BlobStore }

export const emptyStores = (): Stores => ({
  documents: memoryDocuments(),
  blobs: memoryBlobStore(),
})

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield bytesOf(text)
}

export const putBlob = async ({ blobs }: Stores, key: string, text: string): Promise<void> => {
  const written = await blobs.write(key, once(text), 1_000_000)()
  if (E.isLeft(written)) throw new Error(JSON.stringify(written.left))
}

/** Enough to distinguish a few hundred texts. */
const checksum = (): Checksum => {
  let sum = 0
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) sum = (sum * 65_599 + text.charCodeAt(at)) % 8_589_934_583
  }
  return {
    add: (piece) => add(typeof piece === 'string' ? piece : textOf(piece)),
    value: () => String(sum),
  }
}

export const tools: CopyTools = { checksum, onProgress: () => undefined }

export const sourceOf = (stores: Stores): SourceStores => ({
  ...stores,
  name: 'the source',
  time: '2026-04-01T12:00:00Z',
})

export const copied = (
  from: Stores,
  to: Stores,
  more: Partial<CopyTools> & { readonly sharesBlobs?: boolean } = {},
): Promise<E.Either<CopyFailure, CopyResult>> =>
  copyStorage(sourceOf(from), to, { ...tools, sharesBlobs: false, ...more })()

/** An export in memory: its lines without line breaks, and its blobs. */
export type MemoryExport = { readonly lines: readonly string[]; readonly blobs: BlobStore }

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

export const exported = async (from: Stores): Promise<MemoryExport> => {
  const lines: string[] = []
  const blobs = memoryBlobStore()
  const write = async (line: string): Promise<void> => void lines.push(line.slice(0, -1))
  await right(exportStorage(sourceOf(from), { write, blobs }, tools))
  return { lines, blobs }
}

export const imported = (
  { lines, blobs }: MemoryExport,
  to: Stores,
  more: Partial<CopyTools> = {},
): Promise<E.Either<CopyFailure, CopyResult>> =>
  importStorage({ lines: () => linesOf(lines), blobs }, to, { ...tools, ...more })()

/** Records the progress of a copy. */
export const recordProgress = (): {
  readonly reported: CopyProgress[]
  readonly onProgress: (progress: CopyProgress) => void
} => {
  const reported: CopyProgress[] = []
  return { reported, onProgress: (progress) => void reported.push(progress) }
}

type Row = Pick<Document, 'id' | 'position' | 'value'> & { readonly place: string }

const documentsIn = async (store: DocumentStore, { name }: Collection, instance: number): Promise<Row[]> => {
  const query = { where: [], order: [], skip: 0, limit: 1000, detail: 'full' } as const
  const found = await store.find(name, instance, query)()
  if (E.isLeft(found)) throw new Error(found.left.reason)
  return found.right.documents.map(({ id, position, value }) => ({
    place: `${instance}/${name}`,
    id,
    position,
    value,
  }))
}

const textAt = async (blobs: BlobStore, key: string): Promise<string> => {
  const found = await blobs.read(key)()
  if (E.isLeft(found)) throw new Error(`${key} can't be read`)
  let text = ''
  for await (const chunk of found.right.chunks) text += textOf(chunk)
  return text
}

/** All documents, those of a collection and instance in the order of their insertion, and all blobs. */
export const contentsOf = async ({ documents, blobs }: Stores) => {
  const rows: Row[] = []
  for (const instance of [0, 1, 2, 3])
    // Announced changes of rights are not copied.
    for (const collection of collections.filter(({ name }) => name !== 'rights_changes'))
      rows.push(...(await documentsIn(documents, collection, instance)))
  const texts: Record<string, string> = {}
  for await (const { key } of blobs.list('')) texts[key] = await textAt(blobs, key)
  return { documents: rows, blobs: texts }
}

/** Two instances, with keys, a token, sections, a moved one among them, articles, a tag on one, files with data. */
export const createPublications = async (stores: Stores): Promise<Stage> => {
  const stage = await createStage(stores)
  const { useCases, run } = stage
  await right(useCases.storeIdentity.establish({ adopt: false, sample: async () => [] }))
  await right(useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
  const { api_key: apiKey, api_secret: apiSecret } = await right(
    useCases.administerKeys.create({ instance: 1, role: 'admin', purpose: 'first' }),
  )
  await right(useCases.administerKeys.create({ instance: 2, role: 'reader' }))
  const grant = { grantType: 'client_credentials', apiKey, apiSecret, address: '::1' }
  await right(useCases.exchangeToken(grant))
  const top = await stage.create(section, aSection('top'))
  const below = await stage.create(section, aSection('below'))
  const admin = stage.as('admin')
  await right(run(changeObject(section), admin, { id: below, body: { parent_uuid: top } }))
  const ids: string[] = []
  for (let number = 1; number <= 30; number += 1)
    ids.push(await stage.create(content, article(`article-${number}`, { content: '<p>Words</p>' })))
  // A replaced document has its former position, and one that was removed leaves a gap.
  const [first = '', second = ''] = ids
  await right(run(changeObject(content), admin, { id: first, body: { title: 'Changed' } }))
  await right(run(removeObject(content), admin, { id: second }))
  const wine = await stage.create(tag, { last_name_or_title: 'Wine', urlname: 'wine' })
  const tagging = { tagId: wine, predicate: 'describes', objectId: ids[3] ?? '' }
  await right(run(attachTag, admin, { ...tagging, body: {} }))
  for (const name of ['one', 'two', 'three']) {
    const id = await stage.create(file, { title: name, filename: `${name}.txt` })
    const upload = { id, contentType: 'text/plain', length: undefined, body: once(`The data of ${name}`) }
    const { blob } = await right(run(uploadFile, admin, upload))
    await putBlob(stores, `${String(blob)}/40x30-test`, `${name}, made small`)
  }
  return stage
}
