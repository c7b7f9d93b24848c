/** Opens files that are imported, by kind (docs/import.md). */
import { createReadStream } from 'node:fs'
import type { Fault } from '@publishing-service/domain'
import type { StreamingHost } from '@publishing-service/domain/declare'
import { E, type Either } from '@publishing-service/domain/fp'
import type {
  ForeignKind,
  ImportOptionsOf,
  ImportSource,
  OpenMedia,
} from '@publishing-service/domain/imports'
import { linesOf } from '@publishing-service/domain/json'
import {
  readCalendar,
  readFeed,
  readGhost,
  readObjectLines,
  readTable,
  readWordpress,
  UnreadableSource,
} from '@publishing-service/imports'
import { csvRows } from './csv-rows.js'
import { readGhostFile } from './ghost-file.js'
import { plainPieces, plainText, xmlPieces, xmlText } from './source-text.js'

/** The content of a file, and data of files that it contains itself. */
export type ImportFile = {
  readonly source: ImportSource
  readonly media: OpenMedia | null
  /** What of the file is not imported at all, for people. */
  readonly hints: readonly string[]
  readonly close: () => Promise<void>
}

type FileContext = {
  readonly streamingHosts: readonly StreamingHost[]
  /** The path of the redirects of Ghost; null for those in its zip. */
  readonly redirects: string | null
  /** The time zone of the instance. */
  readonly zone: string
  /** In milliseconds since 1970. */
  readonly now: number
  /** Lets other requests run, between slices of work. */
  readonly turn: () => Promise<void>
}

/** The source; throws an UnreadableSource with its faults if there are any. */
const sourceOrThrow = (read: Either<readonly Fault[], ImportSource>): ImportSource => {
  if (E.isRight(read)) return read.right
  throw new UnreadableSource(read.left.map(({ path, message }) => `${path} ${message}`.trim()).join('; '))
}

const withoutMedia = (source: ImportSource, hints: readonly string[] = []): ImportFile => ({
  source,
  media: null,
  hints,
  close: async () => undefined,
})

type Openers = {
  readonly [K in ForeignKind]: (
    path: string,
    options: ImportOptionsOf<K>,
    context: FileContext,
  ) => Promise<ImportFile>
}

const openers: Openers = {
  json: async (path) => withoutMedia(await readObjectLines(() => linesOf(createReadStream(path, 'utf8')))),
  wordpress: async (path, { types }, { streamingHosts }) =>
    withoutMedia(await readWordpress(await xmlPieces(path), { streamingHosts, types })),
  ghost: async (path, { site, member_posts: memberPosts, sections }, context) => {
    const { value, redirects, media, close } = await readGhostFile(path, context.redirects)
    const source = sourceOrThrow(readGhost(value, { site, memberPosts, sections, redirects }))
    return { source, media, hints: [], close }
  },
  feed: async (path, { site, state, media }) =>
    withoutMedia(sourceOrThrow(readFeed(await xmlText(path), { site, state, media }))),
  ics: async (path, { state, source, encoding }, { zone, now, turn }) =>
    withoutMedia(await readCalendar(await plainText(path, encoding), { zone, now, state, source }, turn)),
  csv: async (path, { collection, mapping, source, encoding }, { zone }) => {
    const rows = await csvRows(await plainPieces(path, encoding))
    const table = await readTable(rows, { collection, mapping, zone, source })
    const ignored = table.ignored.map((header) => `“${header}”`).join(', ')
    return withoutMedia(table, ignored === '' ? [] : [`These columns are not imported: ${ignored}.`])
  },
}

/** Opens a file of a kind by its path. Throws an UnreadableSource if it is something else. */
export const openImportFile = <K extends ForeignKind>(
  kind: K,
  path: string,
  options: ImportOptionsOf<K>,
  context: FileContext,
): Promise<ImportFile> => openers[kind](path, options, context)
