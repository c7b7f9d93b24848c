/** What document stores on all SQL databases do alike: the members of the port as steps. */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
  type Appended,
  type Change,
  type Document,
  type DocumentStore,
  documentText,
  keyTextTooLong,
  type NewDocument,
  type PortFailure,
  type WriteFailure,
} from '@publishing-service/ports'
import type { Dialect } from './dialect.js'
import type { DocumentTexts } from './entries.js'
import { type CollectionLayout, layoutNamed, type Layouts } from './layout.js'
import { readSteps } from './read-steps.js'
import type { Steps } from './statement.js'
import type { ChangeTexts, InsertTexts, Outcome, WriteTexts } from './write-steps.js'

/** How a store runs steps. */
export type StepRunners = {
  /** Runs steps that read, which see one state of the database. */
  readonly read: <A>(steps: () => Steps<A>) => TaskEither<PortFailure, A>
  /** Runs the steps of a write in one transaction. */
  readonly write: (write: WriteTexts, change: Change) => TaskEither<PortFailure, Outcome>
}

export type SqlStoreOptions = {
  readonly layouts: Layouts
  readonly dialect: Dialect
  /** The most bytes of a document. */
  readonly largestDocument: number
}

type Members = Omit<DocumentStore, 'check' | 'close'>

export const sqlDocumentStore = (
  { layouts, dialect, largestDocument }: SqlStoreOptions,
  runners: StepRunners,
): Members => {
  const reads = readSteps(dialect)

  const layoutOf = (name: string): CollectionLayout => layoutNamed(layouts, name)

  /** The document as texts, and its value as it will be read; or why it can't be stored. */
  const textsOf = (
    collection: string,
    { id, unique, value }: Pick<NewDocument, 'id' | 'unique' | 'value'>,
  ): Either<WriteFailure, { readonly texts: DocumentTexts; readonly value: Document['value'] }> => {
    const layout = layoutOf(collection)
    const { light, heavy, bytes, value: stored } = documentText(value, layout.heavy)
    if (bytes > largestDocument) return E.left({ _tag: 'DocumentTooLarge', limit: largestDocument })
    const texts = { id: id.toWellFormed(), unique: unique?.toWellFormed() ?? null, light, heavy }
    const tooLong = keyTextTooLong(layout.collection, texts.unique, stored)
    return tooLong === null ? E.right({ texts, value: stored }) : E.left(tooLong)
  }

  const appendedTexts = ({ collection, instance, document }: Appended): InsertTexts => {
    const made = textsOf(collection, document)
    if (E.isLeft(made)) throw new Error(`An appended document is not valid: ${made.left._tag}`)
    return { collection, instance, document: { ...made.right.texts, position: document.position } }
  }

  const write = async (
    collection: string,
    instance: number,
    change: Change,
    appended: readonly Appended[],
  ): Promise<Either<WriteFailure, Document | null>> => {
    /** Returns the position of the document. */
    const submit = async (texts: ChangeTexts): Promise<Either<WriteFailure, number>> => {
      const requested = { collection, instance, change: texts, appended: appended.map(appendedTexts) }
      const outcome = await runners.write(requested, change)()
      if (E.isLeft(outcome)) return outcome
      if (outcome.right === 'version conflict') return E.left({ _tag: 'VersionConflict' })
      if (outcome.right === 'unique conflict') return E.left({ _tag: 'UniqueConflict' })
      return E.right(outcome.right.position)
    }
    if (change.kind === 'remove') {
      layoutOf(collection)
      const removed = await submit({ ...change, id: change.id.toWellFormed() })
      return E.isLeft(removed) ? removed : E.right(null)
    }
    const made = textsOf(collection, change.document)
    if (E.isLeft(made)) return made
    const { texts, value } = made.right
    const written = await submit(
      change.kind === 'insert'
        ? { kind: 'insert', document: { ...texts, position: change.document.position } }
        : { kind: 'replace', document: { ...texts, version: change.document.version } },
    )
    if (E.isLeft(written)) return written
    const version = change.kind === 'insert' ? 1 : change.document.version + 1
    return E.right({ id: texts.id, version, position: written.right, value })
  }

  return {
    get: (collection, instance, id) => runners.read(() => reads.get(layoutOf(collection), instance, id)),
    getMany: (collection, instance, ids, detail) =>
      runners.read(() => reads.getMany(layoutOf(collection), instance, ids, detail)),
    find: (collection, instance, query) =>
      runners.read(() => reads.find(layoutOf(collection), instance, query)),
    findTexts: (collection, instance, query) =>
      runners.read(() => reads.findTexts(layoutOf(collection), instance, query)),
    countGroups: (collection, instance, key, within) =>
      runners.read(() => reads.countGroups(layoutOf(collection), instance, key, within)),
    write: (collection, instance, change, appended) => () => write(collection, instance, change, appended),
  }
}
