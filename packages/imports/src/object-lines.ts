/** Reads objects in the form of the API: one line of JSON for each (docs/import.md). */
import { fault, type Fault } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  importRecord,
  readImportedObject,
  type ImportedObject,
  type ImportRecord,
  type ImportSource,
} from '@publishing-service/domain/imports'

/** Reads a line. */
const readObject = (text: string): Either<readonly Fault[], ImportedObject> => {
  const parsed = E.tryCatch((): unknown => JSON.parse(text), String)
  return E.isLeft(parsed)
    ? E.left([fault('', 'format', 'the line is not JSON')])
    : readImportedObject(parsed.right)
}

/** The longest line, in characters. */
const maxLine = 16 * 1024 * 1024

const titleOf = ({ attributes: { title, urlname, filename } }: ImportedObject): string =>
  [title, filename, urlname].find((each) => typeof each === 'string')?.toString() ?? ''

const readLine = (text: string, line: number): ImportRecord => {
  const read =
    text.length > maxLine
      ? E.left([fault('', 'length', `the line is longer than ${maxLine} characters`)])
      : readObject(text)
  if (E.isLeft(read)) return importRecord({ origin: { source: 'line', title: '', line }, faults: read.left })
  const object = read.right
  const origin = { source: `${object.collection} ${object.id}`, title: titleOf(object), line }
  return importRecord({ origin, object })
}

/** The records of lines. `open` returns the lines without their line breaks; it is called once more for each reading. */
export const readObjectLines = async (open: () => AsyncIterable<string>): Promise<ImportSource> => {
  let total = 0
  for await (const line of open()) if (line.trim() !== '') total += 1
  return {
    total,
    records: async function* () {
      let number = 0
      for await (const line of open()) {
        number += 1
        if (line.trim() !== '') yield readLine(line, number)
      }
    },
  }
}
