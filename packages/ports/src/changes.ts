/** The changes that writes are made of. */
import type { Change, Document, DocumentChange, NewDocument } from './document-store.js'
import type { Clock } from './system.js'

/** Whether a part of a write changes nothing, and only expects something. */
export const isExpectation = <C extends Pick<Change, 'kind'>>(
  change: C,
): change is Extract<C, { readonly kind: 'expect' | 'expect none' }> =>
  change.kind === 'expect' || change.kind === 'expect none'

type Named = { readonly id: string } | { readonly document: { readonly id: string } }

/** The id of the document that is changed or expected. */
export const idOfChange = (change: Named): string => ('document' in change ? change.document.id : change.id)

/** A change that is no expectation. */
export type DocumentWrite = { readonly collection: string } & DocumentChange

/** Inserts a document at the next position, or replaces the version of it that was found. */
export const putDocument = (
  collection: string,
  document: Omit<NewDocument, 'position'>,
  found: Pick<Document, 'version'> | null,
  { position }: Pick<Clock, 'position'>,
): DocumentWrite =>
  found === null
    ? { collection, kind: 'insert', document: { ...document, position: position() } }
    : { collection, kind: 'replace', document: { ...document, version: found.version } }

/** Removes the version of a document that was found. */
export const removeDocument = (
  collection: string,
  { id, version }: Pick<Document, 'id' | 'version'>,
): DocumentWrite => ({ collection, kind: 'remove', id, version })

/** The changes, of which each document has one: the first that is no mere expectation of its existence. */
export const oncePerDocument = (changes: readonly Change[]): readonly Change[] => {
  const isWeak = (change: Change): boolean => change.kind === 'expect' && change.version === null
  const first = new Map<string, Change>()
  const selections: Change[] = []
  for (const change of changes) {
    if (change.kind === 'expect none') {
      selections.push(change)
      continue
    }
    const key = `${change.collection}/${idOfChange(change)}`
    const found = first.get(key)
    if (found === undefined || (isWeak(found) && !isWeak(change))) first.set(key, change)
  }
  return [...first.values(), ...selections]
}
