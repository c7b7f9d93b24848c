/**
 * The format of an export: lines of JSON. The first is the header; then there is one line for each document, in the order
 * of the partitions and of their positions, and one for each blob. The last has the numbers of both, and a checksum of all
 * lines before it.
 */
import { E, t } from '@publishing-service/domain/fp'
import { jsonObject } from '@publishing-service/domain/json'
import { isBlobKey, type BlobKey, type Checksum } from '@publishing-service/ports'
import { throwRejection } from './copy-failure.js'
import { copiedPartitions, nameOf, nameText } from './partitions.js'

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

const BlobLine = t.readonly(t.type({ blob: t.string, bytes: t.number, sha256: t.string }))
export type BlobLine = { readonly blob: BlobKey; readonly bytes: number; readonly sha256: string }

const EndLine = t.readonly(
  t.type({ end: t.readonly(t.type({ documents: t.number, blobs: t.number, sha256: t.string })) }),
)

const Line = t.union([DocumentLine, BlobLine, EndLine, Header])
type Line = t.TypeOf<typeof Line>

/** Writes the lines of an export. */
export const exportWriter = (write: (line: string) => Promise<void>, checksum: Checksum) => {
  const counts = { documents: 0, blobs: 0 }
  const put = (line: Line): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`
    checksum.add(text)
    return write(text)
  }
  return {
    header: (header: Header): Promise<void> => put(header),
    document: (line: DocumentLine): Promise<void> => {
      counts.documents += 1
      return put(line)
    },
    blob: (line: BlobLine): Promise<void> => {
      counts.blobs += 1
      return put(line)
    },
    end: (): Promise<void> => write(`${JSON.stringify({ end: { ...counts, sha256: checksum.value() } })}\n`),
  }
}

const parsed = (text: string, damaged: (problem: string) => never): Line => {
  const value: unknown = E.getOrElseW(() => damaged('is not JSON'))(
    E.tryCatch(() => JSON.parse(text), String),
  )
  const line = Line.decode(value)
  return E.isLeft(line) ? damaged('is not a line of an export of this release') : line.right
}

export type ExportEntries = AsyncGenerator<Header | DocumentLine | BlobLine, void, void>

/**
 * The header, the documents and the blobs of an export, whose lines have no line break. Throws ExportDamaged for the first
 * line that is wrong, and at the end if lines are missing or were changed.
 */
export async function* readExport(lines: AsyncIterable<string>, checksum: Checksum): ExportEntries {
  const counts = { documents: 0, blobs: 0 }
  let order: ReadonlyMap<string, number> = new Map()
  let [number, before, isEnded] = [0, [-1, 0] as readonly [number, number], false]
  const damaged = (problem: string): never =>
    throwRejection({ _tag: 'ExportDamaged', problem: `line ${number} ${problem}` })
  for await (const text of lines) {
    number += 1
    const line = parsed(text, damaged)
    if (isEnded) damaged('follows the last one')
    if ('export' in line !== (number === 1)) damaged('is not the first, or not the header')
    if ('end' in line) {
      const { sha256, ...counted } = line.end
      if (counted.documents !== counts.documents || counted.blobs !== counts.blobs)
        damaged(`counts ${counted.documents} documents and ${counted.blobs} blobs, but there are others`)
      if (sha256 !== checksum.value()) damaged('has another checksum: a line before it was changed')
      isEnded = true
      continue
    }
    checksum.add(`${text}\n`)
    if ('export' in line)
      order = new Map(copiedPartitions(line.instances).map((each, i) => [nameText(nameOf(each)), i]))
    else if ('collection' in line) {
      const place = order.get(nameText(line))
      if (place === undefined) return damaged('has an unknown collection or instance')
      const [partition, position] = before
      if (counts.blobs > 0 || place < partition || (place === partition && line.position <= position))
        damaged('is not in its order')
      before = [place, line.position]
      counts.documents += 1
    } else {
      if (!isBlobKey(line.blob)) damaged('has no key of a blob')
      counts.blobs += 1
    }
    yield line
  }
  if (!isEnded) damaged('is the last one: the export is cut off')
}
