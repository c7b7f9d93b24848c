import {
  badParameters,
  draftAttributes,
  E,
  fault,
  firstCategory,
  firstHomepage,
  homepage,
  nowIn,
  settingsAttributes,
  tagCategory,
  TE,
  uniqueTextOf,
  acceptedState,
  type JsonObject,
  type Settings,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'

/** The settings of a new instance. */
export type NewInstance = Partial<Settings> &
  Pick<Settings, 'title' | 'timezone'> & {
    /** The required number; by default the next free one. */
    readonly number?: number
  }

export type InstanceRow = {
  readonly id: number
  readonly settings: JsonObject
}

type NewSettings = { readonly settings: JsonObject }

const { name: collection } = systemCollections.instances
const attempts = 50

const storedIn = (document: Document): StoredInstance => decodeStored(StoredInstance, document)

const rowOf = ({ number, settings = {} }: StoredInstance): InstanceRow => ({ id: number, settings })

/**
 * Creates and lists instances. They are numbered from 1 in the order of their creation, unless a number is
 * given; the number of a deleted instance is never used again.
 */
export const administerInstances = ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) => {
  const last: Outcome<number> = async () => {
    const found = await documents.find(collection, systemInstance, {
      where: [],
      order: [{ key: 'number', direction: 'desc' }],
      skip: 0,
      limit: 1,
      detail: 'light',
    })()
    return E.isLeft(found) ? found : E.right(found.right.documents.map(storedIn)[0]?.number ?? 0)
  }

  /** Creates the instance with this number; null if the number is taken. */
  const insertAs = async (
    number: number,
    rest: NewSettings,
  ): Promise<E.Either<Failure, InstanceRow | null>> => {
    const category = firstCategory.initial(
      nowIn(acceptedState(settingsAttributes, rest.settings).timezone, clock.now()),
    )
    const first = [
      { resource: homepage, id: firstHomepage.id, value: firstHomepage.initial },
      { resource: tagCategory, id: firstCategory.id, value: category },
    ]
    // Written before the instance, so that it always has them. Existing ones are left unchanged.
    for (const { resource, id, value } of first) {
      const unique = uniqueTextOf(resource, value)
      const begun = await documents.insert(resource.collection, number, { id, unique, value })()
      if (E.isLeft(begun) && begun.left._tag === 'PortFailure') return E.left(begun.left)
    }
    const inserted = await documents.insert(collection, systemInstance, {
      id: String(number),
      unique: null,
      value: { number, ...rest },
    })()
    if (E.isRight(inserted)) return E.right(rowOf(storedIn(inserted.right)))
    return inserted.left._tag === 'PortFailure' ? E.left(inserted.left) : E.right(null)
  }

  const insertAsNext = async (rest: NewSettings): Promise<E.Either<Failure, InstanceRow>> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const highest = await last()
      if (E.isLeft(highest)) return highest
      const created = await insertAs(highest.right + 1, rest)
      if (E.isLeft(created)) return created
      if (created.right !== null) return E.right(created.right)
    }
    return E.left(contended)
  }

  const insertOnlyAs = async (number: number, rest: NewSettings): Promise<E.Either<Failure, InstanceRow>> => {
    const found = await documents.get(collection, systemInstance, String(number))()
    if (E.isLeft(found)) return found
    const isDeleted = found.right !== null && !isLiveInstance(storedIn(found.right))
    const made = isDeleted ? E.right(null) : await insertAs(number, rest)
    if (E.isLeft(made)) return made
    if (made.right !== null) return E.right(made.right)
    const reason = isDeleted ? `instance ${number} was deleted` : `there is an instance ${number}`
    return E.left(badParameters([fault('number', `is taken: ${reason}`)]))
  }

  const createWith = (input: JsonObject, strict: boolean, number?: number): Outcome<InstanceRow> => {
    const { state, faults } = draftAttributes(
      { attributes: settingsAttributes },
      { mode: 'put', input, previous: null, context: { zone: 'UTC', streamingHosts: [], strict } },
    )
    if (faults.length > 0) return TE.left(badParameters(faults))
    const rest = { settings: state }
    return () => (number === undefined ? insertAsNext(rest) : insertOnlyAs(number, rest))
  }

  return {
    create: ({ number, ...input }: NewInstance): Outcome<InstanceRow> => createWith(input, true, number),
    createNext: (input: JsonObject, strict: boolean): Outcome<InstanceRow> => createWith(input, strict),
    list: (): Outcome<readonly InstanceRow[]> => async () => {
      const rows: InstanceRow[] = []
      for (let skip = 0; ; skip += 1000) {
        const found = await documents.find(collection, systemInstance, {
          where: [],
          order: [{ key: 'number', direction: 'asc' }],
          skip,
          limit: 1000,
          detail: 'light',
        })()
        if (E.isLeft(found)) return found
        rows.push(...found.right.documents.map(storedIn).filter(isLiveInstance).map(rowOf))
        if (found.right.next === null) return E.right(rows)
      }
    },
  }
}

export type AdministerInstances = ReturnType<typeof administerInstances>
