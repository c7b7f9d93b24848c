/** The changes that the write of several documents is made of. */
import {
  idOfChange,
  type Change,
  type Clock,
  type Document,
  type NewDocument,
} from '@publishing-service/ports'

/** Inserts a document at the next position, or replaces the version of it that was found. */
export const putDocument = (
  collection: string,
  document: Omit<NewDocument, 'position'>,
  found: Pick<Document, 'version'> | null,
  { position }: Pick<Clock, 'position'>,
): Change =>
  found === null
    ? { collection, kind: 'insert', document: { ...document, position: position() } }
    : { collection, kind: 'replace', document: { ...document, version: found.version } }

/** Removes the version of a document that was found. */
export const removeDocument = (
  collection: string,
  { id, version }: Pick<Document, 'id' | 'version'>,
): Change => ({ collection, kind: 'remove', id, version })

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
