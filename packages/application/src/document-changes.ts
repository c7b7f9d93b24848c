/** The changes that the write of several documents is made of. */
import {
  idOfChange,
  type Change,
  type Clock,
  type Document,
  type NewDocument,
} from '@publishing-service/ports'
import type { Part } from './instance-store.js'

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

/** The parts of a write with one change of each document: the first that is no mere expectation of its existence. */
export const oncePerDocument = (changes: readonly Change[]): readonly Part[] => {
  const isWeak = ({ change }: Part): boolean => change.kind === 'expect' && change.version === null
  const first = new Map<string, Part>()
  const selections: Part[] = []
  for (const change of changes) {
    if (change.kind === 'expect none') {
      selections.push({ change })
      continue
    }
    const key = `${change.collection}/${idOfChange(change)}`
    const found = first.get(key)
    if (found === undefined || (isWeak(found) && !isWeak({ change }))) first.set(key, { change })
  }
  return [...first.values(), ...selections]
}
