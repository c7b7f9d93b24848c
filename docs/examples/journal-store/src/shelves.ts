/**
 * What the lines of a journal add up to: documents by collection and instance. The same lines in the same order give
 * the same documents and the same refusals, in every process that reads them.
 */
import { E, type Either, type Json, type JsonObject } from '@publishing-service/domain'
import type { Document, UniqueConflict, VersionConflict } from '@publishing-service/ports'

/** A write as a line of the journal; whether it applies is decided by the lines before it. */
export type Change = {
  /** Names the writing, so that the writer finds it again. */
  readonly by: string
  readonly collection: string
  readonly instance: number
  readonly id: string
  /** The version that has to be there; null where there must be no such document. */
  readonly version: number | null
  /** What is to stand there; null where the document goes. */
  readonly put: { readonly unique: string | null; readonly value: JsonObject } | null
}

export type Entry = {
  readonly document: Document
  readonly unique: string | null
  /** Its place among all insertions. */
  readonly sequence: number
}

export type Refusal = VersionConflict | UniqueConflict

type Shelf = { readonly documents: Map<string, Entry>; readonly holders: Map<string, string> }

/** Nobody outside may change what is kept here. */
const freeze = <A extends Json>(json: A): A => {
  if (typeof json === 'object' && json !== null) Object.values(Object.freeze(json)).forEach(freeze)
  return json
}

/** Shelves that nothing stands on. */
export const emptyShelves = () => {
  const shelves = new Map<string, Shelf>()
  let insertions = 0

  const shelfOf = (collection: string, instance: number): Shelf => {
    const place = `${instance}/${collection}`
    const shelf = shelves.get(place) ?? { documents: new Map(), holders: new Map() }
    shelves.set(place, shelf)
    return shelf
  }

  /** Why a change would be refused now; null where it wouldn't. */
  const objection = ({ collection, instance, id, version, put }: Omit<Change, 'by'>): Refusal | null => {
    const { documents, holders } = shelfOf(collection, instance)
    if ((documents.get(id)?.document.version ?? null) !== version) return { _tag: 'VersionConflict' }
    const unique = put?.unique ?? null
    const taken = unique !== null && (holders.get(unique) ?? id) !== id
    return taken ? { _tag: 'UniqueConflict' } : null
  }

  /** Applies a change, or refuses it and changes nothing. Gives the document as it is now; gone, it has no value. */
  const apply = (change: Change): Either<Refusal, Document> => {
    const refusal = objection(change)
    if (refusal !== null) return E.left(refusal)
    const { collection, instance, id, version, put } = change
    const { documents, holders } = shelfOf(collection, instance)
    const former = documents.get(id)
    if (typeof former?.unique === 'string') holders.delete(former.unique)
    const document = freeze({ id, version: (version ?? 0) + 1, value: put?.value ?? {} })
    if (put === null) documents.delete(id)
    else documents.set(id, { document, unique: put.unique, sequence: former?.sequence ?? ++insertions })
    if (typeof put?.unique === 'string') holders.set(put.unique, id)
    return E.right(document)
  }

  return {
    objection,
    apply,
    /** By the ids of the documents. */
    entries: (collection: string, instance: number): ReadonlyMap<string, Entry> =>
      shelfOf(collection, instance).documents,
  }
}
