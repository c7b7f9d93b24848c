/**
 * Moves appended documents from the changed documents into their collections: inserts each, then removes all from the
 * changed document. A process can end at any point: what is still there is moved again, by the next write of the document,
 * by this process, or by another one that finds it; a document that is already in its collection stays as it is.
 */
import { asAppended, type Origin, type Pending, withoutPending } from './appended-documents.js'
import { insertAppended } from './insert-document.js'
import { mongodbFailure } from './mongodb-failure.js'
import type { StoredCollection } from './stored-collection.js'

export type Mover = {
  /** Moves what was appended with a document. */
  readonly move: (origin: Origin) => Promise<void>
  /** Moves what this process has appended, in the background. What fails is moved by the next sweep. */
  readonly start: (origin: Origin, pending: Pending) => void
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

/** Changed documents that one command changes. */
const changedAtOnce = 100

/** What was moved from some changed documents. */
type Batch = { readonly moved: string[]; readonly done: Promise<void> }

/**
 * Removes what was moved from the changed documents of a collection, one command at a time, for all that wait: many at the same
 * time would hold up each other, and the writes of clients.
 */
const removingMoved = ({ documents }: StoredCollection): ((moving: string) => Promise<void>) => {
  let waiting: Batch | null = null
  let last = Promise.resolve()

  return (moving) => {
    if (waiting !== null && waiting.moved.length < changedAtOnce) {
      waiting.moved.push(moving)
      return waiting.done
    }
    const moved = [moving]
    const remove = async (): Promise<void> => {
      if (waiting?.moved === moved) waiting = null
      const filter = { moving: { $in: moved } }
      await documents.deleteMany({ ...filter, removed: true })
      await documents.updateMany(filter, withoutPending)
    }
    last = last.then(remove, remove)
    waiting = { moved, done: last }
    return last
  }
}

/** `collections` are swept. `storedIn` returns any collection, because other versions can declare others. */
export const createMover = (
  collections: readonly StoredCollection[],
  storedIn: (name: string) => StoredCollection,
): Mover => {
  const running = new Map<string, Promise<void>>()
  /** How what was moved is removed from the documents of a collection. */
  const removing = new Map<string, (moving: string) => Promise<void>>()
  /** What the next sweep moves. */
  let expected = new Set<string>()
  let isSweeping = false

  const removeMoved = (collection: string, moving: string): Promise<void> => {
    const remove = removing.get(collection) ?? removingMoved(storedIn(collection))
    removing.set(collection, remove)
    return remove(moving)
  }

  const readPending = async ({ collection, name }: Origin): Promise<Pending | null> => {
    const projection = { appended: 1, moving: 1 }
    const { appended = [], moving } =
      (await storedIn(collection).documents.findOne({ _id: name }, { projection })) ?? {}
    return moving === undefined ? null : { appended, moving }
  }

  const moveFrom = async (origin: Origin, known: Pending | null): Promise<void> => {
    const pending = known ?? (await readPending(origin))
    if (pending === null) return
    const { appended, moving } = pending
    const all = appended.map(asAppended)
    const partitions = new Map(all.map((each) => [`${each.instance}/${each.collection}`, each]))
    for (const { collection, instance } of partitions.values()) {
      const ofPartition = all.filter((each) => each.collection === collection && each.instance === instance)
      const inserted = ofPartition.map(({ document }) => document)
      await insertAppended(storedIn(collection), instance, inserted, origin)
    }
    await removeMoved(origin.collection, moving)
  }

  const move = (origin: Origin, known: Pending | null = null): Promise<void> => {
    const key = `${origin.collection} ${origin.name}`
    const current = running.get(key)
    if (current !== undefined) return current
    const started = moveFrom(origin, known).finally(() => running.delete(key))
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
    move: (origin) => move(origin),
    start: (origin, pending) => {
      void move(origin, pending).catch((error: unknown) => {
        if (mongodbFailure(error) === null) throw error
        expected.add(pending.moving)
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
