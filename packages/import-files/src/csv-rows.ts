/** The rows of a file of comma-separated values (RFC 4180), also with other separators. */
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { UnreadableSource, type TableRow } from '@publishing-service/imports'

const separators = [',', ';', '\t', '|'] as const

/** Characters in which the first line is looked for. */
const longestStart = 64 * 1024

/** The longest row, in characters. */
const maxRow = 16 * 1024 * 1024

/** The separator that occurs most often in the first line, outside of quotation marks. */
export const separatorIn = (start: string): string => {
  const counts = new Map<string, number>(separators.map((each) => [each, 0]))
  let isQuoted = false
  for (const character of start) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) break
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const [[separator] = [',']] = [...counts].toSorted(([, one], [, other]) => other - one)
  return separator
}

const startOf = async (open: () => AsyncIterable<string>): Promise<string> => {
  let start = ''
  for await (const piece of open()) {
    start += piece
    if (start.length >= longestStart) break
  }
  return start.slice(0, longestStart)
}

/** What is wrong, by the codes of the library. */
const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED:
    'a quotation mark that begins a cell in this row has no counterpart at the end of the cell',
  CSV_INVALID_CLOSING_QUOTE:
    'after the quotation mark at the end of a cell must be a separator or a line break; one within a cell is written twice',
  INVALID_OPENING_QUOTE:
    'a cell with quotation marks must begin and end with one, and those within it are written twice',
  CSV_MAX_RECORD_SIZE: `a row has more than ${maxRow} characters`,
}

type Parsed = { readonly record: readonly string[]; readonly info: { readonly lines: number } }

const isParsed = (value: unknown): value is Parsed =>
  typeof value === 'object' && value !== null && 'record' in value && 'info' in value

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0)

/** The pieces with one character for each line break, which the library counts as one line. */
async function* withLineFeeds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isOpen = false
  for await (const piece of pieces) {
    const text: string = `${isOpen ? '\r' : ''}${piece}`
    // The line feed of a line break may be in the next piece.
    isOpen = text.endsWith('\r')
    yield (isOpen ? text.slice(0, -1) : text).replaceAll(/\r\n?/g, '\n')
  }
  if (isOpen) yield '\n'
}

/** The rows, without empty lines. Throws an UnreadableSource at a row that cannot be read. */
async function* rowsIn(open: () => AsyncIterable<string>, separator: string): AsyncGenerator<TableRow> {
  const parser = parse({
    delimiter: [separator],
    record_delimiter: ['\n'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRow,
  })
  let last = 0
  const pieces = Readable.from(withLineFeeds(open()))
  pieces.on('error', (error) => parser.destroy(error))
  try {
    for await (const parsed of pieces.pipe(parser)) {
      if (!isParsed(parsed)) continue
      const { record, info } = parsed
      yield { line: info.lines - breaksIn(record), cells: record }
      last = info.lines
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UnreadableSource(reasons[error.code] ?? error.message, { line: last + 1, column: 1 })
  } finally {
    pieces.destroy()
  }
}

/** The rows of a text in pieces. Each call of the result reads them once more. */
export const csvRows = async (open: () => AsyncIterable<string>): Promise<() => AsyncIterable<TableRow>> => {
  const separator = separatorIn(await startOf(open))
  return () => rowsIn(open, separator)
}
