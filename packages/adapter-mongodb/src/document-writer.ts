/** Makes the changes of documents, each in one write of one document, with the documents that are appended. */
import { E, type Either } from '@publishing-service/domain/fp'
import type {
  Appended,
  Change,
  Document,
  NewDocument,
  Replacement,
  VersionConflict,
  WriteFailure,
} from '@publishing-service/ports'
import { burying, type Pending, pendingOf } from './appended-documents.js'
import { type Held, insertDocument, readHeld } from './insert-document.js'
import { isDuplicate } from './mongodb-failure.js'
import type { Mover } from './mover.js'
import type { StoredCollection } from './stored-collection.js'
import { contentOf, nameOf, replacing, type StoredDocument } from './stored-document.js'

type Written = Either<WriteFailure, Document | null>

/** The version of a document that a change expects. */
type Expected = Pick<StoredDocument, '_id' | 'instance' | 'version'>

export type DocumentWriter = (
  instance: number,
  change: Change,
  appended: readonly Appended[],
) => Promise<Written>

const versionConflict: VersionConflict = { _tag: 'VersionConflict' }

const nothingPending = { moving: { $exists: false } }

export const documentWriter = (stored: StoredCollection, mover: Mover): DocumentWriter => {
  const { layout, documents, vocabulary } = stored
  const originOf = (name: string) => ({ collection: layout.name, name })

  /** The document of a change; null if it has another version. Nothing is left to move from it, if the change needs that. */
  const readExpected = async (expected: Expected, needsMoved: boolean): Promise<Held | null> => {
    const { _id, instance, version } = expected
    const held = await readHeld(stored, _id)
    if (held?.instance !== instance || held.version !== version) return null
    if (!needsMoved || held.moving === undefined) return held
    await mover.move(originOf(_id))
    return readExpected(expected, needsMoved)
  }

  const insert = async (
    instance: number,
    document: NewDocument,
    pending: Partial<Pending>,
  ): Promise<Written> => {
    const content = contentOf(layout, document)
    if (content.tooLarge !== null) return E.left(content.tooLarge)
    for (;;) {
      const insertion = await insertDocument(stored, instance, document, content, pending)
      if (insertion.kind === 'unique text is used') return E.left({ _tag: 'UniqueConflict' })
      if (insertion.kind === 'inserted')
        return E.right({
          id: document.id.toWellFormed(),
          version: document.version ?? 1,
          position: insertion.position,
          value: content.value,
        })
      if (insertion.held.removed !== true) return E.left(versionConflict)
      await mover.move(originOf(insertion.held._id))
    }
  }

  const replace = async (
    instance: number,
    document: Replacement,
    pending: Partial<Pending>,
  ): Promise<Written> => {
    const { value, stored: content, words, tooLarge } = contentOf(layout, document)
    if (tooLarge !== null) return E.left(tooLarge)
    const expected = { _id: nameOf(instance, document.id), instance, version: document.version }
    const isAppending = pending.moving !== undefined
    const [held] = await Promise.all([readExpected(expected, isAppending), vocabulary.add(instance, words)])
    if (held === null) return E.left(versionConflict)
    const version = document.version + 1
    const filter = { ...expected, sequence: held.sequence, ...(isAppending ? nothingPending : {}) }
    try {
      const update = replacing({ ...content, ...pending, version })
      const { matchedCount } = await documents.updateOne(filter, update)
      if (matchedCount === 0) return E.left(versionConflict)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      return E.left({ _tag: 'UniqueConflict' })
    }
    return E.right({ id: document.id.toWellFormed(), version, position: held.sequence, value })
  }

  const remove = async (expected: Expected, pending: Partial<Pending>): Promise<Written> => {
    const held = await readExpected(expected, true)
    if (held === null) return E.left(versionConflict)
    // Otherwise it could be moved, and so inserted, again.
    if (held.origin !== undefined) await mover.move(held.origin)
    const filter = { ...expected, ...nothingPending }
    const removed =
      pending.moving === undefined
        ? (await documents.deleteOne(filter)).deletedCount
        : (await documents.updateOne(filter, burying(expected._id, pending))).matchedCount
    return removed === 0 ? E.left(versionConflict) : E.right(null)
  }

  const make = (instance: number, change: Change, pending: Partial<Pending>): Promise<Written> => {
    switch (change.kind) {
      case 'insert':
        return insert(instance, change.document, pending)
      case 'replace':
        return replace(instance, change.document, pending)
      case 'remove':
        return remove({ _id: nameOf(instance, change.id), instance, version: change.version }, pending)
    }
  }

  return async (instance, change, appended) => {
    const pending = pendingOf(appended)
    if (pending === null) return make(instance, change, {})
    try {
      const written = await make(instance, change, pending)
      const { id } = change.kind === 'remove' ? change : change.document
      if (E.isRight(written)) mover.start(originOf(nameOf(instance, id)), pending)
      return written
    } catch (error) {
      mover.expect(pending.moving)
      throw error
    }
  }
}
