/** What document stores on all SQL databases do alike: the members of the port as steps. */
import { E, type Either, type TaskEither } from '@publishing-service/domain/fp'
import {
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
import { ReadSteps } from './read-steps.js'
import { relatedSteps } from './related-steps.js'
import type { Steps } from './statement.js'
import type { ChangeTexts, InsertTexts, Outcome, WriteTexts } from './write-texts.js'

/** How a store runs steps. */
export type StepRunners = {
  /** Runs steps that read, which see one state of the database. */
  readonly read: <A>(steps: () => Steps<A>) => TaskEither<PortFailure, A>
  /** Runs the steps of a write in one transaction. */
  readonly write: (write: WriteTexts, changes: readonly Change[]) => Promise<Either<PortFailure, Outcome>>
}

export type SqlStoreOptions = {
  readonly layouts: Layouts
  readonly dialect: Dialect
  /** The most bytes of a document. */
  readonly largestDocument: number
}

/** A document as texts, its value as it will be read, and its bytes. */
type MadeTexts = {
  readonly texts: DocumentTexts
  readonly value: Document['value']
  readonly bytes: number
}

/** A change as texts, its document without its position, and its bytes. */
type MadeChange = {
  readonly change: ChangeTexts
  readonly document: Omit<Document, 'position'> | null
  readonly bytes: number
}

type Members = Omit<DocumentStore, 'snapshot' | 'check' | 'close'>

export const sqlDocumentStore = (
  { layouts, dialect, largestDocument }: SqlStoreOptions,
  runners: StepRunners,
): Members => {
  const collections = new Map<string, { readonly layout: CollectionLayout; readonly reads: ReadSteps }>()

  /** A collection, whose reads are made when it is first used: a process uses some of the collections. */
  const named = (name: string) => {
    let found = collections.get(name)
    if (found === undefined) {
      const layout = layoutNamed(layouts, name)
      collections.set(name, (found = { layout, reads: new ReadSteps(layout, dialect) }))
    }
    return found
  }

  const relatedOf = relatedSteps(named, dialect)

  /** The document as texts, or why it can't be stored. */
  const textsOf = (
    collection: string,
    { id, unique, value }: Pick<NewDocument, 'id' | 'unique' | 'value'>,
  ): Either<WriteFailure, MadeTexts> => {
    const { layout } = named(collection)
    const { light, heavy, bytes, value: stored } = documentText(value, layout.heavy)
    if (bytes > largestDocument) return E.left({ _tag: 'DocumentTooLarge', limit: largestDocument })
    const texts = { id: id.toWellFormed(), unique: unique?.toWellFormed() ?? null, light, heavy }
    const tooLong = keyTextTooLong(layout.collection, texts.unique, stored)
    return tooLong === null ? E.right({ texts, value: stored, bytes }) : E.left(tooLong)
  }

  /** A change as texts, and the document as it will be read; or why it can't be stored. */
  const changeTexts = (change: Change): Either<WriteFailure, MadeChange> => {
    if (change.kind === 'expect none') return E.right({ change, document: null, bytes: 0 })
    if (change.kind === 'remove' || change.kind === 'expect')
      return E.right({ change: { ...change, id: change.id.toWellFormed() }, document: null, bytes: 0 })
    const { collection } = change
    const made = textsOf(collection, change.document)
    if (E.isLeft(made)) return made
    const { texts, value, bytes } = made.right
    if (change.kind === 'replace') {
      const { version } = change.document
      return E.right({
        change: { kind: 'replace', collection, document: { ...texts, version } },
        document: { id: texts.id, version: version + 1, value },
        bytes,
      })
    }
    const { position, version = 1 } = change.document
    return E.right({
      change: { kind: 'insert', collection, document: { ...texts, version, position } },
      document: { id: texts.id, version, value },
      bytes,
    })
  }

  const write: DocumentStore['write'] = (instance, changes, appended) => async () => {
    const texts: ChangeTexts[] = []
    const documents: MadeChange['document'][] = []
    let bytes = 0
    for (const change of changes) {
      const made = changeTexts(change)
      if (E.isLeft(made)) return made
      texts.push(made.right.change)
      documents.push(made.right.document)
      bytes += made.right.bytes
    }
    const inserted: InsertTexts[] = []
    for (const each of appended) {
      const made = textsOf(each.collection, each.document)
      if (E.isLeft(made)) throw new Error(`An appended document is not valid: ${made.left._tag}`)
      const { position, version = 1 } = each.document
      bytes += made.right.bytes
      inserted.push({ ...each, document: { ...made.right.texts, position, version } })
    }
    const outcome = await runners.write({ instance, changes: texts, appended: inserted, bytes }, changes)
    if (E.isLeft(outcome)) return outcome
    if ('conflict' in outcome.right) {
      const { conflict, change } = outcome.right
      return E.left({ _tag: conflict === 'version' ? 'VersionConflict' : 'UniqueConflict', change })
    }
    const { positions } = outcome.right
    return E.right(
      documents.map((document, number) =>
        document === null ? null : { ...document, position: positions[number] ?? 0 },
      ),
    )
  }

  return {
    get: (collection, instance, id) => runners.read(() => named(collection).reads.get(instance, id)),
    getRelated: (instance, related) => runners.read(() => relatedOf(instance, related)),
    find: (collection, instance, query) => runners.read(() => named(collection).reads.find(instance, query)),
    findTexts: (collection, instance, query) =>
      runners.read(() => named(collection).reads.findTexts(instance, query)),
    count: (collection, instance, selection, limit) =>
      runners.read(() => named(collection).reads.count(instance, selection, limit)),
    countTexts: (collection, instance, keys, selection, most) =>
      runners.read(() => named(collection).reads.countTexts(instance, keys, selection, most)),
    write,
  }
}
