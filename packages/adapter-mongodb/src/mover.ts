/**
 * Moves appended documents from the changed documents into their collections: inserts each, then removes all from the
 * changed document. A process can end at any point: what is still there is moved again, by the next write of the document,
 * by this process, or by another one that finds it; a document that is already in its collection stays as it is.
 */
import { asAppended, type Origin, withoutPending } from './appended-documents.js'
import { insertDocument } from './insert-document.js'
import { mongodbFailure } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'
import { contentOf } from './stored-document.js'

export type Mover = {
  /** Moves what was appended with a document. */
  readonly move: (origin: Origin) => Promise<void>
  /** The same in the background. What fails is moved by the next sweep. */
  readonly start: (origin: Origin, moving: string) => void
  /** Lets the next sweep move what was appended with a write whose outcome is unknown. */
  readonly expect: (moving: string) => void
  /** Moves everything that is found. */
  readonly moveAll: () => Promise<void>
  /** Moves what is expected, and what the sweep before has found too: its process has ended, or has failed to move it. */
  readonly sweep: () => Promise<void>
  /** Resolves when nothing is being moved. */
  readonly idle: () => Promise<void>
}

/** The most documents that a sweep finds in a collection. */
const foundAtOnce = 1000

/** `collections` are swept. `storedIn` returns any collection, because other versions can declare others. */
export const createMover = (
  collections: readonly StoredCollection[],
  storedIn: (name: string) => StoredCollection,
): Mover => {
  const running = new Map<string, Promise<void>>()
  /** What the next sweep moves. */
  let expected = new Set<string>()
  let isSweeping = false

  const moveFrom = async (origin: Origin): Promise<void> => {
    const { documents } = storedIn(origin.collection)
    const projection = { appended: 1, moving: 1, removed: 1 }
    const {
      appended = [],
      moving,
      removed,
    } = (await documents.findOne({ _id: origin.name }, { projection })) ?? {}
    if (moving === undefined) return
    for (const { collection, instance, document } of appended.map(asAppended)) {
      const target = storedIn(collection)
      await insertDocument(target, instance, document, contentOf(target.layout, document), { origin })
    }
    const moved = { _id: origin.name, moving }
    if (removed === true) await documents.deleteOne(moved)
    else await documents.updateOne(moved, withoutPending)
  }

  const move = (origin: Origin): Promise<void> => {
    const key = `${origin.collection} ${origin.name}`
    const current = running.get(key)
    if (current !== undefined) return current
    const started = moveFrom(origin).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  const found = async (): Promise<ReadonlyMap<string, Origin>> => {
    const all = new Map<string, Origin>()
    for (const { layout, documents } of collections) {
      const pending = await documents
        .find({ moving: { $gt: '' } }, { projection: { moving: 1 }, limit: foundAtOnce })
        .toArray()
      for (const { _id, moving = '' } of pending) all.set(moving, { collection: layout.name, name: _id })
    }
    return all
  }

  return {
    move,
    start: (origin, moving) => {
      void move(origin).catch((error: unknown) => {
        if (mongodbFailure(error) === null) throw error
        expected.add(moving)
      })
    },
    expect: (moving) => {
      expected.add(moving)
    },
    moveAll: async () => {
      for (;;) {
        const pending = await found()
        if (pending.size === 0) return
        for (const origin of pending.values()) await move(origin)
      }
    },
    sweep: async () => {
      if (isSweeping) return
      isSweeping = true
      try {
        const pending = await found()
        const due = [...pending].filter(([moving]) => expected.has(moving))
        expected = new Set(pending.keys())
        for (const [, origin] of due) await move(origin)
      } finally {
        isSweeping = false
      }
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}
