/** Reads the lines of a bundle before anything of it is written, and finds what is wrong with them. */
import { resourceOf } from '@publishing-service/domain'
import { firstHomepage } from '@publishing-service/domain/content'
import { linesOf } from '@publishing-service/domain/json'
import { firstCategory } from '@publishing-service/domain/tags'
import type { BlobKey, Checksum } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { originalBlob } from '../files/file-blobs.js'
import { throwRejection } from '../storage-copy/copy-failure.js'
import { progressOf, type CopyTools } from '../storage-copy/copy-run.js'
import {
  readExport,
  type BlobLine,
  type BundleHeader,
  type DocumentLine,
  type ExportEntry,
  type UserLine,
} from '../storage-copy/export-format.js'
import { blobFile, lineFiles, type StoredBundle } from './bundle-files.js'
import { bundleForm, isBundledBlob } from './bundle-form.js'
import { uploadsIn } from './bundle-lines.js'

/** The characters of the longest line: a document has 16 MiB at most in every store. */
const longestLine = 17 * 1024 * 1024

const damaged = (problem: string): never => throwRejection({ _tag: 'ExportDamaged', problem })

async function* textOf({ text }: StoredBundle): AsyncGenerator<string, void, void> {
  yield* text(lineFiles.before)
  yield* text(lineFiles.after)
}

const entriesOf = (bundle: StoredBundle, checksum: Checksum): AsyncIterable<ExportEntry<BundleHeader>> => {
  const lines = linesOf(textOf(bundle), longestLine, (number) =>
    damaged(`line ${number} has more than ${longestLine} characters`),
  )
  return readExport(bundleForm, lines, checksum)
}

/** A bundle whose lines are as they were written. */
export type CheckedBundle = {
  /** The checksum of its lines. */
  readonly sum: string
  readonly header: BundleHeader
  readonly users: readonly UserLine[]
  readonly blobs: ReadonlyMap<BlobKey, BlobLine>
  /** Of all blobs. */
  readonly bytes: number
  /** The UUIDs of its objects, without those that every instance has. */
  readonly ids: ReadonlySet<string>
  /** The number of its objects, of those with public paths, and of drafts. */
  readonly objects: number
  readonly withPaths: number
  readonly drafts: number
  /** The number of uploads that documents name and whose data the bundle does not have. */
  readonly withoutData: number
  readonly documents: () => AsyncIterable<DocumentLine>
  /** The data of a file, as it is in the bundle. */
  readonly data: (key: BlobKey) => AsyncIterable<Uint8Array>
}

/** The objects that are the same on every instance. */
const ofEveryInstance: ReadonlySet<string> = new Set([
  firstHomepage.id,
  firstCategory.id,
  ...Object.values(resourceOf('homepage')?.given?.words ?? {}).map(({ id }) => id),
])

const { audit, drafts: ofDrafts } = systemCollections

/** The UUID of the object that a line is of; null if it is of none. */
const objectOf = ({ collection, id, value }: DocumentLine): string | null => {
  if (resourceOf(collection) !== undefined) return id
  const { object } = value
  return collection === audit.name && typeof object === 'string' ? object : null
}

async function* documentsOf(
  bundle: StoredBundle,
  checksum: Checksum,
): AsyncGenerator<DocumentLine, void, void> {
  for await (const entry of entriesOf(bundle, checksum)) if (entry.kind === 'document') yield entry.document
}

/** A checksum whose value is also read afterwards. */
const readable = (sum: Checksum) => {
  let value = ''
  return { sum: { add: sum.add, value: () => (value = sum.value()) }, value: () => value }
}

/** Reads all lines. Throws ExportDamaged if the bundle lacks something, or was changed. */
export const checkBundle = async (bundle: StoredBundle, tools: CopyTools): Promise<CheckedBundle> => {
  const { checksum } = tools
  let header: BundleHeader | null = null
  let done: (documents: number) => void = () => undefined
  const users: UserLine[] = []
  const uploads = new Set<BlobKey>()
  const blobs = new Map<BlobKey, BlobLine>()
  const ids = new Set<string>()
  let [bytes, objects, withPaths, drafts] = [0, 0, 0, 0]
  const addBlob = (line: BlobLine): void => {
    const { blob } = line
    const name = blobFile(blob)
    const size = bundle.sizeOf(name)
    if (!isBundledBlob(blob) || !uploads.has(blob) || blobs.has(blob))
      damaged(`${name} is the data of no file`)
    if (size !== line.bytes)
      damaged(size === null ? `${name} is missing` : `${name} has ${size} bytes instead of ${line.bytes}`)
    blobs.set(blob, line)
    bytes += line.bytes
  }
  const sum = readable(checksum())
  for await (const entry of entriesOf(bundle, sum.sum)) {
    if (entry.kind === 'header') {
      ;({ header } = entry)
      done = progressOf(tools, 'check documents', header.documents)
    } else if (entry.kind === 'user') users.push(entry.user)
    else if (entry.kind === 'blob') addBlob(entry.blob)
    else {
      const { collection } = entry.document
      const resource = resourceOf(collection)
      if (resource !== undefined) objects += 1
      if (resource?.path !== undefined) withPaths += 1
      if (collection === ofDrafts.name) drafts += 1
      const id = objectOf(entry.document)
      if (id !== null && !ofEveryInstance.has(id)) ids.add(id)
      for (const upload of uploadsIn(entry.document)) uploads.add(originalBlob(upload))
      done(1)
    }
  }
  return {
    sum: sum.value(),
    header: header ?? damaged('it has no header'),
    users,
    blobs,
    bytes,
    ids,
    objects,
    withPaths,
    drafts,
    withoutData: uploads.size - blobs.size,
    documents: () => documentsOf(bundle, checksum()),
    data: (key) => bundle.data(blobFile(key)),
  }
}
