/** Plans the changes of a write: what each stores, and which document it takes, in the order in which all writers mark them. */
import type { JsonObject } from '@publishing-service/domain/json'
import {
  type Appended,
  type Change,
  type Document,
  type DocumentTooLarge,
  idOfChange,
  type NewDocument,
} from '@publishing-service/ports'
import type { IntentPart } from './intents.js'
import type { StoredCollection } from './stored-collection.js'
import { type Content, contentOf, nameOf, type NewStored, type StoredContent } from './stored-document.js'

/** A change of a document, or an expectation of one. `number` is that of the change. */
export type Planned = {
  readonly number: number
  readonly stored: StoredCollection
  readonly instance: number
  readonly id: string
  readonly name: string
} & (
  | {
      readonly kind: 'insert'
      readonly document: NewStored
      readonly position: NewDocument['position']
      readonly value: JsonObject
    }
  | {
      readonly kind: 'replace'
      readonly version: number
      readonly content: StoredContent
      readonly value: JsonObject
    }
  | { readonly kind: 'remove'; readonly version: number }
  | { readonly kind: 'expect'; readonly version: number | null }
)

export type Plan = {
  /** In the order of marks. */
  readonly planned: readonly Planned[]
  /** The planned changes, followed by what is appended. */
  readonly parts: readonly IntentPart[]
  /** Adds the words of all documents to the vocabularies. */
  readonly addWords: () => Promise<void>
}

const newStored = (instance: number, { id, version = 1 }: NewDocument, { stored }: Content): NewStored => ({
  _id: nameOf(instance, id),
  instance,
  version,
  ...stored,
})

const partOf = (planned: Planned): IntentPart => {
  const part = { collection: planned.stored.layout.name, name: planned.name }
  switch (planned.kind) {
    case 'insert':
      return { ...part, kind: 'insert', instance: planned.instance, position: planned.position }
    case 'replace':
      return { ...part, kind: 'replace', version: planned.version, content: planned.content }
    default:
      return { ...part, kind: planned.kind }
  }
}

/** The document as a change leaves it. */
export const documentAfter = (planned: Planned, position: number): Document | null => {
  if (planned.kind === 'remove' || planned.kind === 'expect') return null
  const version = planned.kind === 'insert' ? planned.document.version : planned.version + 1
  return { id: planned.id.toWellFormed(), version, position, value: planned.value }
}

export const planChanges = (
  instance: number,
  changes: readonly Change[],
  appended: readonly Appended[],
  storedOf: (collection: string) => StoredCollection,
): Plan | DocumentTooLarge => {
  const planned: Planned[] = []
  const words: (() => Promise<void>)[] = []
  const added = (stored: StoredCollection, of: number, content: Content): Content => {
    words.push(() => stored.vocabulary.add(of, content.words))
    return content
  }
  for (const [number, change] of changes.entries()) {
    if (change.kind === 'expect none') continue
    const stored = storedOf(change.collection)
    const id = idOfChange(change)
    const own = { number, stored, instance, id, name: nameOf(instance, id) }
    if (change.kind === 'remove') planned.push({ ...own, kind: 'remove', version: change.version })
    else if (change.kind === 'expect') planned.push({ ...own, kind: 'expect', version: change.version })
    else {
      const content = added(stored, instance, contentOf(stored.layout, instance, change.document))
      if (content.tooLarge !== null) return content.tooLarge
      const { value } = content
      planned.push(
        change.kind === 'replace'
          ? { ...own, kind: 'replace', version: change.document.version, content: content.stored, value }
          : {
              ...own,
              kind: 'insert',
              document: newStored(instance, change.document, content),
              position: change.document.position,
              value,
            },
      )
    }
  }
  const placeOf = ({ stored, name }: Planned): string => `${stored.layout.name}/${name}`
  planned.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const appendedParts = appended.map(({ collection, instance: of, document }): IntentPart => {
    const stored = storedOf(collection)
    const content = added(stored, of, contentOf(stored.layout, of, document))
    const inserted = newStored(of, document, content)
    return { collection, name: inserted._id, kind: 'append', document: inserted, position: document.position }
  })
  return {
    planned,
    parts: [...planned.map(partOf), ...appendedParts],
    addWords: async () => {
      for (const add of words) await add()
    },
  }
}
