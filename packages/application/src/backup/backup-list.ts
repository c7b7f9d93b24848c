/**
 * What a backup consists of, as lines of JSON: the first describes it and its documents, then there is one for each blob, and the
 * last has a checksum of all before it. It is written last, so a backup without it is not one.
 */
import { E, t } from '@publishing-service/domain/fp'
import { asciiJson } from '@publishing-service/domain/json'
import { isBlobKey, type BlobKey, type BlobStore, type Checksum } from '@publishing-service/ports'
import { bytesOf } from '../files/file-blobs.js'
import { throwRejection } from '../storage-copy/copy-failure.js'
import { BlobLine } from '../storage-copy/export-format.js'
import { textOfBlob } from './blob-text.js'

const formatVersion = 1

const Head = t.readonly(
  t.type({
    /** The version of the format. */
    backup: t.literal(formatVersion),
    /** Where the documents and blobs were, without secrets. */
    source: t.string,
    /** When the backup began. */
    time: t.string,
    /** The id of the stores; null if they have none. */
    identity: t.union([t.string, t.null]),
    /** How the documents are stored: as a file of SQLite, or as lines of an export. */
    form: t.union([t.literal('sqlite'), t.literal('lines')]),
    documents: t.readonly(t.type({ bytes: t.number, sha256: t.string })),
  }),
)
export type BackupHead = t.TypeOf<typeof Head>

const End = t.readonly(
  t.type({ end: t.readonly(t.type({ blobs: t.number, bytes: t.number, sha256: t.string })) }),
)

export type BackupList = {
  /** Its name in the place. */
  readonly id: string
  readonly head: BackupHead
  /** By their keys. */
  readonly blobs: ReadonlyMap<BlobKey, BlobLine>
  /** Of all blobs. */
  readonly bytes: number
}

/** Bytes of a list, which has some hundred for each blob. */
const largestList = 16 * 1024 ** 3

/** How encrypted data begins (age). */
const encryptedStart = 'age-encryption.org/'

const folder = 'backups'
/** The folder of the data, which all backups share. */
export const dataFolder = 'blobs'

export const backupFolder = (id: string): string => `${folder}/${id}`
export const documentsKey = (id: string): BlobKey => `${folder}/${id}/documents`
const listKey = (id: string): BlobKey => `${folder}/${id}/list`
export const dataKey = (key: BlobKey): BlobKey => `${dataFolder}/${key}`

const idPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

/** The name of a backup of this time, in milliseconds. Names are in the order of the times. */
export const backupId = (time: number): string => new Date(time).toISOString().replaceAll(':', '-')

/** The time of a backup, in milliseconds. */
export const backupTime = (id: string): number => Date.parse(id.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))

const isBackupId = (text: string): boolean => idPattern.test(text)

/** The names in the place, those of incomplete backups apart; the earliest first. */
export const backupNames = async (
  place: BlobStore,
): Promise<{ readonly complete: readonly string[]; readonly incomplete: readonly string[] }> => {
  const found = new Map<string, boolean>()
  for await (const { key } of place.list(folder)) {
    const [, id = '', part] = key.split('/')
    if (isBackupId(id)) found.set(id, found.get(id) === true || part === 'list')
  }
  const named = (isComplete: boolean): readonly string[] =>
    [...found].flatMap(([id, has]) => (has === isComplete ? [id] : [])).toSorted()
  return { complete: named(true), incomplete: named(false) }
}

const parsed = <A>(codec: t.Type<A, A>, line: string | undefined, damaged: () => never): A => {
  const value: unknown = E.getOrElseW(damaged)(E.tryCatch(() => JSON.parse(line ?? ''), String))
  return E.getOrElseW(damaged)(codec.decode(value))
}

/** Reads the list of a backup. Throws ExportDamaged if it is not as it was written. */
export const readBackupList = async (
  place: BlobStore,
  id: string,
  checksum: () => Checksum,
): Promise<BackupList> => {
  const damaged = (): never =>
    throwRejection({ _tag: 'ExportDamaged', problem: `the list of the backup ${id} was changed` })
  const text = (await textOfBlob(place, listKey(id))) ?? damaged()
  if (text.startsWith(encryptedStart))
    throwRejection({ _tag: 'ExportDamaged', problem: `the backup ${id} is encrypted, and no key is given` })
  const lines = text.split('\n').slice(0, -1)
  const [first, ...others] = lines
  const { end } = parsed(End, others.pop(), damaged)
  const sum = checksum()
  for (const line of lines.slice(0, -1)) sum.add(`${line}\n`)
  if (sum.value() !== end.sha256) damaged()
  const head = parsed(Head, first, damaged)
  const blobs = new Map<BlobKey, BlobLine>()
  for (const line of others) {
    const blob = parsed(BlobLine, line, damaged)
    if (!isBlobKey(dataKey(blob.blob))) damaged()
    blobs.set(blob.blob, blob)
  }
  return { id, head, blobs, bytes: end.bytes }
}

/** Writes the list, which completes the backup. */
export const writeBackupList = async (
  place: BlobStore,
  { id, head, blobs }: Omit<BackupList, 'bytes'>,
  checksum: Checksum,
): Promise<void> => {
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    let bytes = 0
    for (const line of [head, ...blobs.values()]) {
      const text = `${asciiJson(line)}\n`
      checksum.add(text)
      if ('blob' in line) bytes += line.bytes
      yield bytesOf(text)
    }
    const end = { blobs: blobs.size, bytes, sha256: checksum.value() }
    yield bytesOf(`${asciiJson({ end })}\n`)
  }
  const written = await place.write(listKey(id), body(), largestList)()
  if (E.isLeft(written)) throw written.left
}
