/** Imports the content of another system, object by object (docs/import.md). */
import { file, resourceOf, type Fault } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type {
  ImportedObject,
  ImportNote,
  ImportOrigin,
  ImportOutcome,
  ImportRecord,
  ImportSource,
  OpenMedia,
} from '@publishing-service/domain/imports'
import { fail, orThrow } from '../attempt.js'
import { removeObject } from '../engine/remove.js'
import { readObject } from '../engine/read-one.js'
import type { Failure, Outcome } from '../failure.js'
import { uploadFile } from '../files/upload-file.js'
import type { Operation } from '../operation.js'
import { completeImported, importObject, isCompletedLater, type WhereExists } from './import-object.js'

/** Runs an operation on the instance that receives the content. */
export type RunOperation = <Input, Output>(
  operation: Operation<Input, Output>,
  input: Input,
) => Outcome<Output>

export type ImportOptions = {
  readonly whereExists: WhereExists
  readonly openMedia: OpenMedia
}

/** What became of a record. */
export type ImportedRecord = {
  readonly origin: ImportOrigin
  readonly object: Pick<ImportedObject, 'collection' | 'id'> | null
  readonly outcome: ImportOutcome
  readonly notes: readonly ImportNote[]
  readonly faults: readonly Fault[]
}

type Result = Pick<ImportedRecord, 'outcome' | 'notes' | 'faults'>

const refused = (message: string): Result => ({
  outcome: 'refused',
  notes: [],
  faults: [{ path: '', code: 'rule', message }],
})

/** Why data is not accepted. Throws a failure that is not about the data. */
const uploadProblem = (failure: Failure<'UnsupportedMediaType'>): string => {
  switch (failure._tag) {
    case 'BadParameters':
      return failure.faults.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    case 'TooLarge':
      return `it is longer than ${failure.limit} bytes`
    case 'BadRequest':
      return failure.reason
    case 'UnsupportedMediaType':
      return `it must be ${failure.expected}`
    default:
      return fail(failure)
  }
}

const maxConcurrentFiles = 4

/** Imports objects with the operations of an instance. */
class Import {
  readonly #run: RunOperation
  readonly #options: ImportOptions

  constructor(run: RunOperation, options: ImportOptions) {
    this.#run = run
    this.#options = options
  }

  /** Writes a file and its data. A file without data is not created, because nothing could show it. */
  async #importFile(object: ImportedObject, upload: NonNullable<ImportedObject['upload']>): Promise<Result> {
    const { whereExists, openMedia } = this.#options
    const { id } = object
    const found = await this.#run(readObject(file), { id, parameters: {} })()
    const hasData = E.isRight(found) && (found.right['byte_size'] ?? null) !== null
    if (hasData && whereExists === 'skip') return { outcome: 'present', notes: [], faults: [] }
    const media = await openMedia(upload)
    if (E.isLeft(media)) return refused(`its data is missing: ${media.left}`)
    const result = await orThrow(
      this.#run(importObject(file), {
        object,
        whereExists: whereExists === 'skip' ? 'replace' : whereExists,
      }),
    )
    if (result.outcome === 'refused') return result
    const { type, length, body } = media.right
    const uploaded = await this.#run(uploadFile, { id, contentType: type, length, body })()
    if (E.isRight(uploaded)) return result
    const problem = uploadProblem(uploaded.left)
    if (!hasData) await orThrow(this.#run(removeObject(file), { id }))
    return refused(`its data is not accepted: ${problem}`)
  }

  async #importObject(object: ImportedObject): Promise<Result> {
    const resource = resourceOf(object.collection)
    if (resource === undefined) return refused(`there is no collection ${object.collection}`)
    if (object.upload !== null)
      return resource.collection === file.collection
        ? this.#importFile(object, object.upload)
        : refused('only files have data')
    const { whereExists } = this.#options
    return orThrow(this.#run(importObject(resource), { object, whereExists }))
  }

  async importRecord({ origin, notes, faults, object }: ImportRecord): Promise<ImportedRecord> {
    if (object === null)
      return { origin, object, outcome: faults.length > 0 ? 'refused' : 'not_taken_over', notes, faults }
    const { collection, id } = object
    const result = await this.#importObject(object)
    return { origin, object: { collection, id }, ...result, notes: [...notes, ...result.notes] }
  }

  /** Writes what an object refers to that came later; null if there is nothing to say about it. */
  async complete({ origin, object }: ImportRecord): Promise<ImportedRecord | null> {
    const resource = object === null || !isCompletedLater(object) ? undefined : resourceOf(object.collection)
    if (object === null || resource === undefined) return null
    const notes = await orThrow(this.#run(completeImported(resource), { object }))
    const { collection, id } = object
    return notes.length === 0
      ? null
      : { origin, object: { collection, id }, outcome: 'completed', notes, faults: [] }
  }
}

const hasUpload = ({ object }: ImportRecord): boolean => object !== null && object.upload !== null

/** The records in groups: files that follow each other are imported together, and every other record alone. */
async function* groupsOf(records: AsyncIterable<ImportRecord>): AsyncGenerator<readonly ImportRecord[]> {
  let files: ImportRecord[] = []
  for await (const record of records) {
    if (hasUpload(record) && files.length < maxConcurrentFiles) {
      files.push(record)
      continue
    }
    if (files.length > 0) yield files
    files = []
    if (hasUpload(record)) files.push(record)
    else yield [record]
  }
  if (files.length > 0) yield files
}

/**
 * Imports a source, and yields what became of each record. Repeated, it goes on with what is missing. Throws a failure that
 * is not about the content, such as a store that is unavailable.
 */
export async function* runImport(
  run: RunOperation,
  source: ImportSource,
  options: ImportOptions,
): AsyncGenerator<ImportedRecord> {
  const imports = new Import(run, options)
  let areLater = false
  for await (const records of groupsOf(source.records())) {
    areLater ||= records.some(({ object }) => object !== null && isCompletedLater(object))
    yield* await Promise.all(records.map((record) => imports.importRecord(record)))
  }
  if (!areLater) return
  for await (const record of source.records()) {
    const completed = await imports.complete(record)
    if (completed !== null) yield completed
  }
}
