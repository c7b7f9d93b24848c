/** One collection of one instance in memory. */
import { deepFreeze, type JsonObject } from '@publishing-service/domain/json'
import {
  snapshotInMemory,
  type Collection,
  type Document,
  type NewDocument,
  type Snapshot,
} from '@publishing-service/ports'
import { type MemoryGroupCounts, memoryGroupCounts } from './memory-group-counts.js'

type Entry = { readonly document: Document; readonly unique: string | null }

const frozenCopy = (value: JsonObject): JsonObject => {
  const copy = JSON.parse(JSON.stringify(value)) as JsonObject
  deepFreeze(copy)
  return copy
}

/** The documents of one collection of one instance. */
export class MemoryPartition {
  readonly groupCounts: MemoryGroupCounts
  readonly #entries = new Map<string, Entry>()
  readonly #idByUniqueText = new Map<string, string>()
  readonly #positions = new Set<number>()
  /** The highest position that a document has or had. */
  #highest = 0

  constructor(collection: Collection) {
    this.groupCounts = memoryGroupCounts(collection)
  }

  get documents(): readonly Document[] {
    return Array.from(this.#entries.values(), ({ document }) => document)
  }

  get(id: string): Document | null {
    return this.#entries.get(id)?.document ?? null
  }

  /** Whether another document has the unique text. */
  isUsed({ id, unique }: Pick<NewDocument, 'id' | 'unique'>): boolean {
    return unique !== null && (this.#idByUniqueText.get(unique) ?? id) !== id
  }

  /** Stores a document in place of the one with its id. */
  store(stored: NewDocument, version: number): Document {
    const { id, unique, value } = stored
    this.remove(id)
    const position =
      typeof stored.position === 'number'
        ? this.#freePosition(stored.position)
        : Math.max(stored.position.atLeast, this.#highest + 1)
    this.#highest = Math.max(this.#highest, position)
    const document = Object.freeze({ id, version, position, value: frozenCopy(value) })
    this.#positions.add(position)
    this.#entries.set(id, { document, unique })
    if (unique !== null) this.#idByUniqueText.set(unique, id)
    this.groupCounts.count(document.value, 1)
    return document
  }

  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    const { document, unique } = entry
    this.#entries.delete(id)
    this.#positions.delete(document.position)
    if (unique !== null) this.#idByUniqueText.delete(unique)
    this.groupCounts.count(document.value, -1)
  }

  #freePosition(wanted: number): number {
    let position = wanted
    while (this.#positions.has(position)) position += 1
    return position
  }
}

/** The documents of all declared collections. */
export class MemoryPartitions {
  readonly #declarations: ReadonlyMap<string, Collection>
  readonly #partitions = new Map<string, MemoryPartition>()

  constructor(collections: readonly Collection[]) {
    this.#declarations = new Map(collections.map((collection) => [collection.name, collection]))
  }

  declaration(name: string): Collection {
    const collection = this.#declarations.get(name)
    if (collection === undefined) throw new Error(`The collection ${name} is not declared`)
    return collection
  }

  of(collection: string, instance: number): MemoryPartition {
    const key = `${instance}/${collection}`
    const partition = this.#partitions.get(key) ?? new MemoryPartition(this.declaration(collection))
    this.#partitions.set(key, partition)
    return partition
  }

  snapshot(): Snapshot {
    const documents = new Map([...this.#partitions].map(([key, partition]) => [key, partition.documents]))
    return snapshotInMemory((collection, instance) => ({
      collection: this.declaration(collection),
      documents: documents.get(`${instance}/${collection}`) ?? [],
    }))
  }
}
