/**
 * Applies committed intents, and releases their documents. Each step is a change of a document with the mark of the intent, so
 * that any process can repeat it. Marks hold the documents until everything is applied.
 */
import { atFreePosition } from './free-position.js'
import type { Intent, IntentPart } from './intents.js'
import { forAll, groupsOf } from './for-all.js'
import { type Mark, named } from './marks.js'
import { isDuplicate } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { replacing } from './stored-document.js'

export type StoredIn = (collection: string) => StoredCollection

type Part<K extends IntentPart['kind']> = Extract<IntentPart, { readonly kind: K }>

/** Shows a hidden document, at its position or the next free one. Returns the position. */
const show = async (
  { documents, commitOrder }: StoredCollection,
  id: string,
  { name, instance, position }: Part<'insert'>,
): Promise<number> => {
  const showAt = async (sequence: number): Promise<boolean> => {
    const filter = { _id: name, mark: id, instance: name }
    return (await documents.updateOne(filter, { $set: { instance, sequence } })).matchedCount === 1
  }
  const firstFree = async (): Promise<number | null> => {
    if (typeof position !== 'number') return commitOrder.showNext(instance, position.atLeast, showAt)
    return atFreePosition(position, async (sequence) => ((await showAt(sequence)) ? sequence : null))
  }
  return (
    (await firstFree()) ??
    (await documents.findOne({ _id: name }, { projection: { sequence: 1 } }))?.sequence ??
    0
  )
}

/** Shows hidden documents at their positions, by one command. Returns whether it has shown all. */
const showPlaced = async (
  { documents }: StoredCollection,
  id: string,
  inserts: readonly Part<'insert'>[],
): Promise<boolean> => {
  const [first] = inserts
  if (first === undefined || inserts.some(({ position }) => typeof position !== 'number')) return false
  const names = inserts.map(({ name }) => name)
  const hidden = { ...named(names), mark: id, instance: { $in: names } }
  try {
    const { matchedCount } = await documents.updateMany(hidden, { $set: { instance: first.instance } })
    return matchedCount === inserts.length
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** Removed documents are hidden until everything is applied, so that their ids are reserved. */
const hide = async ({ documents }: StoredCollection, id: string, removed: readonly IntentPart[]) => {
  if (removed.length === 0) return
  const marked = { ...named(removed.map(({ name }) => name)), mark: id }
  await documents.updateMany(marked, { $set: { instance: id }, $unset: { claim: '' } })
}

/** Makes the changes of an intent. Returns the positions of the documents that it inserts, by their places among the parts. */
export const applyChanges = async ({ id, parts }: Intent, storedIn: StoredIn): Promise<readonly number[]> => {
  const shown = new Set<string>()
  await forAll(
    groupsOf(parts, ({ collection }) => collection),
    async (group) => {
      const [{ collection }] = group
      const stored = storedIn(collection)
      await hide(
        stored,
        id,
        group.filter(({ kind }) => kind === 'remove'),
      )
      const inserts = group.filter((part) => part.kind === 'insert')
      if (await showPlaced(stored, id, inserts)) shown.add(collection)
    },
  )
  return forAll(parts, async (part) => {
    const { collection, name, kind } = part
    const stored = storedIn(collection)
    if (kind === 'insert') {
      const { position } = part
      return shown.has(collection) && typeof position === 'number' ? position : show(stored, id, part)
    }
    if (kind === 'replace') {
      const { version, content } = part
      const after = replacing({ ...content, version: version + 1, mark: id })
      await stored.documents.updateOne({ _id: name, mark: id, version }, after)
    }
    return 0
  })
}

/** Inserts what is appended, in its sequence in each collection. What is there already stays as it is. */
export const insertAppended = async ({ id, parts }: Intent, storedIn: StoredIn): Promise<void> => {
  const appended = parts.filter((part) => part.kind === 'append')
  const isThere = async (part: Part<'append'>) =>
    (await storedIn(part.collection).documents.findOne({ _id: part.name }, { projection: { _id: 1 } })) && 0
  const insert = async (part: Part<'append'>): Promise<void> => {
    const { documents, commitOrder } = storedIn(part.collection)
    const document = { ...part.document, mark: id }
    if (typeof part.position !== 'number') {
      await commitOrder.insertNext(document, part.position.atLeast, () => isThere(part))
      return
    }
    const insertAt = async (sequence: number): Promise<number> => {
      await documents.insertOne({ ...document, sequence })
      return sequence
    }
    await atFreePosition(part.position, insertAt, () => isThere(part))
  }
  const groups = groupsOf(appended, ({ collection, document }) => `${document.instance}/${collection}`)
  await forAll(groups, async (group) => {
    const [first] = group
    const placed = group.flatMap(({ document, position }) =>
      typeof position === 'number' ? [{ ...document, mark: id, sequence: position }] : [],
    )
    if (placed.length === group.length && placed.length > 1)
      try {
        await storedIn(first.collection).documents.insertMany(placed)
        return
      } catch (error) {
        if (!isDuplicate(error)) throw error
      }
    // Those at next positions wait together, in this sequence.
    const next = group.filter(({ position }) => typeof position !== 'number').map(insert)
    for (const part of group) if (typeof part.position === 'number') await insert(part)
    await Promise.all(next)
  })
}

/** What removes the mark of each kind of part, if anything has to. */
const releases = {
  applied: { insert: null, replace: null, append: null, remove: 'delete', expect: 'pull' },
  withdrawn: { insert: 'delete', replace: 'unset', append: null, remove: 'unset', expect: 'pull' },
} as const

/** Removes the marks of some parts as far as necessary, with the documents that are not to exist. */
export const release = async (
  id: string,
  parts: readonly IntentPart[],
  outcome: keyof typeof releases,
  storedIn: StoredIn,
): Promise<void> => {
  const groups = groupsOf(parts, ({ collection, kind }) => `${releases[outcome][kind]} ${collection}`)
  await forAll(groups, async (group) => {
    const [{ collection, kind }] = group
    const { documents } = storedIn(collection)
    const names = named(group.map(({ name }) => name))
    const by = releases[outcome][kind]
    if (by === 'delete') await documents.deleteMany({ ...names, mark: id })
    if (by === 'pull') await documents.updateMany({ ...names, shared: id }, { $pull: { shared: id } })
    // A document without a claim has its unique text by itself.
    if (by === 'unset')
      await documents.updateMany({ ...names, mark: id }, { $unset: { mark: '', claim: '' } })
  })
}

/** Removes a mark of an intent that no longer exists, set by a command that arrived late. */
export const releaseLate = async ({ collection, name, intent, kind }: Mark, storedIn: StoredIn) => {
  const { documents } = storedIn(collection)
  if (kind === 'hidden') await documents.deleteOne({ _id: name, mark: intent, instance: name })
  if (kind === 'shared')
    await documents.updateOne({ _id: name, shared: intent }, { $pull: { shared: intent } })
}
