/** Reads of several requests in one query, for servers: a query costs more than another document in it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { E, type Either } from '@publishing-service/domain/fp'
import type {
  CountedGroup,
  Document,
  DocumentStore,
  FoundRelated,
  NamedDocuments,
  PortFailure,
  Related,
  TextCount,
} from '@publishing-service/ports'

/** Ids and groups of a query of several requests. */
const mostJoined = 128

const sizeOf = ({ documents, counts }: Related): number =>
  documents.reduce((size, { ids }) => size + ids.length, counts.length)

const nameOf = ({ collection, detail }: NamedDocuments): string => `${detail} ${collection}`

const groupOf = ({ collection, key, within }: CountedGroup): string =>
  JSON.stringify([collection, key, within])

type Found = {
  readonly documents: ReadonlyMap<string, ReadonlyMap<string, Document>>
  readonly counts: ReadonlyMap<string, readonly TextCount[]>
}

/** What was found for one of the requests. */
const partsOf = ({ documents, counts }: Found, related: Related): FoundRelated => ({
  documents: related.documents.map((named) => {
    const byId = documents.get(nameOf(named))
    const own: Document[] = []
    for (const id of new Set(named.ids)) {
      const document = byId?.get(id.toWellFormed())
      if (document !== undefined) own.push(document)
    }
    return own
  }),
  counts: related.counts.map((group) => counts.get(groupOf(group)) ?? []),
})

/** Requests of one instance, whose parts are each read once. */
class Batch {
  readonly found: Promise<Either<PortFailure, Found>>
  readonly #documents = new Map<string, Omit<NamedDocuments, 'ids'> & { readonly ids: Set<string> }>()
  readonly #counts = new Map<string, CountedGroup>()
  #size = 0

  /** `read` is called once, after the requests of this turn of the event loop. */
  constructor(read: (batch: Batch) => Promise<Either<PortFailure, FoundRelated>>) {
    this.found = this.#read(read)
  }

  hasRoomFor(related: Related): boolean {
    return this.#size + sizeOf(related) <= mostJoined
  }

  add(related: Related): void {
    this.#size += sizeOf(related)
    for (const named of related.documents) {
      const name = nameOf(named)
      const joined = this.#documents.get(name)
      if (joined === undefined) this.#documents.set(name, { ...named, ids: new Set(named.ids) })
      else for (const id of named.ids) joined.ids.add(id)
    }
    for (const group of related.counts) this.#counts.set(groupOf(group), group)
  }

  get related(): Related {
    return {
      documents: Array.from(this.#documents.values(), (named) => ({ ...named, ids: [...named.ids] })),
      counts: [...this.#counts.values()],
    }
  }

  async #read(
    read: (batch: Batch) => Promise<Either<PortFailure, FoundRelated>>,
  ): Promise<Either<PortFailure, Found>> {
    await nextTurn()
    const outcome = await read(this)
    if (E.isLeft(outcome)) return outcome
    const { documents, counts } = outcome.right
    return E.right({
      documents: new Map(
        Array.from(this.#documents.keys(), (name, index) => [
          name,
          new Map(documents[index]?.map((document) => [document.id, document])),
        ]),
      ),
      counts: new Map(Array.from(this.#counts.keys(), (group, index) => [group, counts[index] ?? []])),
    })
  }
}

/**
 * Joins the reads by id and of group counts that begin in one turn of the event loop, also of different requests, into one
 * query of each instance. If it fails, it fails for all of them.
 */
export const joinedReads = ({
  getRelated,
}: Pick<DocumentStore, 'getRelated'>): Pick<DocumentStore, 'get' | 'getRelated'> => {
  /** The batches that are not read yet, by instance. */
  const open = new Map<number, Batch>()

  const batchFor = (instance: number, related: Related): Batch => {
    const current = open.get(instance)
    if (current?.hasRoomFor(related) === true) return current
    const batch = new Batch((self) => {
      if (open.get(instance) === self) open.delete(instance)
      return getRelated(instance, self.related)()
    })
    open.set(instance, batch)
    return batch
  }

  const joined: DocumentStore['getRelated'] = (instance, related) => async () => {
    const batch = batchFor(instance, related)
    batch.add(related)
    const found = await batch.found
    return E.isLeft(found) ? found : E.right(partsOf(found.right, related))
  }

  return {
    getRelated: joined,
    get: (collection, instance, id) => async () => {
      const documents = [{ collection, ids: [id], detail: 'full' }] as const
      const found = await joined(instance, { documents, counts: [] })()
      return E.isLeft(found) ? found : E.right(found.right.documents[0]?.[0] ?? null)
    },
  }
}
