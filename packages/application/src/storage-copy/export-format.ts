/**
 * The format of exports: lines of JSON. The first is the header; then there is one line for each document, in the order of the
 * partitions and of their positions, one for each user that documents of a bundle name, and one for each blob. The last has the
 * numbers of documents and blobs, and a checksum of all lines before it.
 */
import { E, t } from '@publishing-service/domain/fp'
import { isJsonObject, jsonObject } from '@publishing-service/domain/json'
import { isBlobKey, type BlobKey, type Checksum } from '@publishing-service/ports'
import { throwRejection } from './copy-failure.js'
import { copiedPartitions, nameOf, nameText, type PartitionName } from './partitions.js'

const formatVersion = 1

export const Header = t.readonly(
  t.type({
    /** The version of the format. */
    export: t.literal(formatVersion),
    /** Where the documents and blobs were, without secrets. */
    source: t.string,
    /** When the export began. */
    time: t.string,
    /** The numbers of all instances. */
    instances: t.readonlyArray(t.number),
    /** The number of documents, and the bytes of all blobs, when the export began. */
    documents: t.number,
    bytes: t.number,
    /** The identity of the stores; null if they have none. */
    identity: t.union([t.null, t.readonly(t.type({ position: t.number, value: jsonObject }))]),
  }),
)
export type Header = t.TypeOf<typeof Header>

/** The header of a bundle: the export of one instance (docs/bundle.md). */
export const BundleHeader = t.readonly(
  t.type({
    bundle: t.literal(formatVersion),
    time: t.string,
    settings: jsonObject,
    /** Whether the occurrences of its events are still to be listed in its time zone. */
    rezoned: t.boolean,
    /** Whether it has the records of changes. */
    history: t.boolean,
    /** The number of documents. */
    documents: t.number,
  }),
)
export type BundleHeader = t.TypeOf<typeof BundleHeader>

/** The lines that a kind of export has. */
export type ExportForm<H> = {
  /** What it is, for messages. */
  readonly what: string
  /** The attribute of the header with the version of the format. */
  readonly versionedBy: string
  readonly header: t.Type<H, unknown>
  /** The order of its documents. */
  readonly partitions: (header: H) => readonly PartitionName[]
  /** What is wrong with a document; null if nothing is. */
  readonly problemIn: (line: DocumentLine) => string | null
}

/** All documents and blobs of a pair of stores. */
export const storageForm: ExportForm<Header> = {
  what: 'an export of storage',
  versionedBy: 'export',
  header: Header,
  partitions: ({ instances }) => copiedPartitions(instances).map(nameOf),
  problemIn: () => null,
}

const DocumentLine = t.readonly(
  t.type({
    collection: t.string,
    instance: t.number,
    id: t.string,
    position: t.number,
    version: t.number,
    unique: t.union([t.string, t.null]),
    value: jsonObject,
  }),
)
export type DocumentLine = t.TypeOf<typeof DocumentLine>

/** A user whom documents of a bundle name, by UUID, and the e-mail address by which others know it; null if it has none. */
const UserLine = t.readonly(t.type({ user: t.string, email: t.union([t.string, t.null]) }))
export type UserLine = t.TypeOf<typeof UserLine>

export const BlobLine = t.readonly(t.type({ blob: t.string, bytes: t.number, sha256: t.string }))
export type BlobLine = { readonly blob: BlobKey; readonly bytes: number; readonly sha256: string }

const EndLine = t.readonly(
  t.type({ end: t.readonly(t.type({ documents: t.number, blobs: t.number, sha256: t.string })) }),
)

const Line = t.union([DocumentLine, UserLine, BlobLine, EndLine])

/** Writes the lines of an export. */
export const exportWriter = <H>(write: (line: string) => Promise<void>, checksum: Checksum) => {
  const counts = { documents: 0, blobs: 0 }
  const put = (line: H | DocumentLine | UserLine | BlobLine): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`
    checksum.add(text)
    return write(text)
  }
  return {
    header: (header: H): Promise<void> => put(header),
    document: (line: DocumentLine): Promise<void> => {
      counts.documents += 1
      return put(line)
    },
    user: (line: UserLine): Promise<void> => put(line),
    blob: (line: BlobLine): Promise<void> => {
      counts.blobs += 1
      return put(line)
    },
    end: (): Promise<void> => write(`${JSON.stringify({ end: { ...counts, sha256: checksum.value() } })}\n`),
  }
}

type Damaged = (problem: string) => never

const parsed = (text: string, damaged: Damaged): unknown =>
  E.getOrElseW(() => damaged('is not JSON'))(E.tryCatch((): unknown => JSON.parse(text), String))

const headerIn = <H>({ what, versionedBy, header }: ExportForm<H>, text: string, damaged: Damaged): H => {
  const value = parsed(text, damaged)
  const version = isJsonObject(value) ? value[versionedBy] : undefined
  if (typeof version !== 'number') return damaged(`is not the header of ${what}`)
  if (version !== formatVersion)
    damaged(`has version ${version} of the format: this release reads version ${formatVersion}`)
  const decoded = header.decode(value)
  return E.isLeft(decoded) ? damaged(`is not the header of ${what} of this release`) : decoded.right
}

const lineIn = (text: string, damaged: Damaged): t.TypeOf<typeof Line> => {
  const line = Line.decode(parsed(text, damaged))
  return E.isLeft(line) ? damaged('is not a line of an export of this release') : line.right
}

/** What a line before the last one says. */
export type ExportEntry<H> =
  | { readonly kind: 'header'; readonly header: H }
  | { readonly kind: 'document'; readonly document: DocumentLine }
  | { readonly kind: 'user'; readonly user: UserLine }
  | { readonly kind: 'blob'; readonly blob: BlobLine }

/**
 * The header, the documents, the users and the blobs of an export, whose lines have no line break. Throws ExportDamaged for the
 * first line that is wrong, and at the end if lines are missing or were changed.
 */
export async function* readExport<H>(
  form: ExportForm<H>,
  lines: AsyncIterable<string>,
  checksum: Checksum,
): AsyncGenerator<ExportEntry<H>, void, void> {
  const counts = { documents: 0, users: 0, blobs: 0 }
  let order: ReadonlyMap<string, number> = new Map()
  let [number, before, isEnded] = [0, [-1, 0] as readonly [number, number], false]
  const damaged: Damaged = (problem) =>
    throwRejection({ _tag: 'ExportDamaged', problem: `line ${number} ${problem}` })
  for await (const text of lines) {
    number += 1
    if (isEnded) damaged('follows the last one')
    if (number === 1) {
      const header = headerIn(form, text, damaged)
      order = new Map(form.partitions(header).map((each, i) => [nameText(each), i]))
      checksum.add(`${text}\n`)
      yield { kind: 'header', header }
      continue
    }
    const line = lineIn(text, damaged)
    if ('end' in line) {
      const { sha256, ...counted } = line.end
      if (counted.documents !== counts.documents || counted.blobs !== counts.blobs)
        damaged(`counts ${counted.documents} documents and ${counted.blobs} blobs, but there are others`)
      if (sha256 !== checksum.value()) damaged('has another checksum: a line before it was changed')
      isEnded = true
      continue
    }
    checksum.add(`${text}\n`)
    if ('collection' in line) {
      const place = order.get(nameText(line))
      if (place === undefined) return damaged('has an unknown collection or instance')
      const [partition, position] = before
      if (
        counts.users + counts.blobs > 0 ||
        place < partition ||
        (place === partition && line.position <= position)
      )
        damaged('is not in its order')
      const problem = form.problemIn(line)
      if (problem !== null) damaged(problem)
      before = [place, line.position]
      counts.documents += 1
      yield { kind: 'document', document: line }
    } else if ('user' in line) {
      if (counts.blobs > 0) damaged('is not in its order')
      counts.users += 1
      yield { kind: 'user', user: line }
    } else {
      if (!isBlobKey(line.blob)) damaged('has no key of a blob')
      counts.blobs += 1
      yield { kind: 'blob', blob: line }
    }
  }
  if (!isEnded) damaged('is the last one: the export is cut off')
}
