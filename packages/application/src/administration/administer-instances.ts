import {
  badParameters,
  draftAttributes,
  E,
  fault,
  firstHomepage,
  homepage,
  settingsAttributes,
  TE,
  webAddress,
  type Fault,
  type JsonObject,
} from '@publishing-service/domain'
import { systemCollections, systemInstance } from '../collections.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'

export type NewInstance = {
  /** The only number that it may get; the next free one where not given. */
  readonly number?: number
  readonly title: string
  readonly timezone: string
  readonly language?: string
  readonly directory_addon?: boolean
  readonly public_downloads?: boolean
  /** Where the publication's website is, without a slash at the end. */
  readonly website?: string
}

export type InstanceRow = {
  readonly id: number
  readonly settings: JsonObject
  readonly website: string | null
}

const { name: collection } = systemCollections.instances
const attempts = 50

const websiteFaults = (website: string | undefined): readonly Fault[] => {
  if (website === undefined) return []
  const context = { zone: 'UTC', streamingHosts: [], strict: true }
  const result = webAddress.decode(website, context)
  return E.isLeft(result) ? [fault('website', result.left[0]?.message ?? 'must be a web address')] : []
}

const rowOf = (value: JsonObject): InstanceRow => ({
  id: Number(value['number']),
  settings: value['settings'] as JsonObject,
  website: typeof value['website'] === 'string' ? value['website'] : null,
})

/** Creates and lists instances. Instances are numbered from 1 in the order of their creation, unless told a number. */
export const administerInstances = ({ documents }: Pick<Ports, 'documents'>) => {
  const last: Outcome<number> = async () => {
    const found = await documents.find(collection, systemInstance, {
      where: [],
      order: [{ key: 'number', direction: 'desc' }],
      skip: 0,
      limit: 1,
      detail: 'light',
    })()
    return E.isLeft(found) ? found : E.right(Number(found.right.documents[0]?.value['number'] ?? 0))
  }

  /** The instance under this number; null where the number is taken. */
  const insertAs = async (
    number: number,
    rest: JsonObject,
  ): Promise<E.Either<Failure, InstanceRow | null>> => {
    // First, so that an instance is never without it; one that is there already may stay.
    const begun = await documents.insert(homepage.collection, number, {
      id: firstHomepage.id,
      unique: null,
      value: firstHomepage.initial,
    })()
    if (E.isLeft(begun) && begun.left._tag === 'PortFailure') return E.left(begun.left)
    const inserted = await documents.insert(collection, systemInstance, {
      id: String(number),
      unique: null,
      value: { number, ...rest },
    })()
    if (E.isRight(inserted)) return E.right(rowOf(inserted.right.value))
    return inserted.left._tag === 'PortFailure' ? E.left(inserted.left) : E.right(null)
  }

  const insertAsNext = async (rest: JsonObject): Promise<E.Either<Failure, InstanceRow>> => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const highest = await last()
      if (E.isLeft(highest)) return highest
      const made = await insertAs(highest.right + 1, rest)
      if (E.isLeft(made)) return made
      if (made.right !== null) return E.right(made.right)
    }
    return E.left(contended)
  }

  const insertOnlyAs = async (number: number, rest: JsonObject): Promise<E.Either<Failure, InstanceRow>> => {
    const made = await insertAs(number, rest)
    if (E.isLeft(made)) return made
    return made.right === null
      ? E.left(badParameters([fault('number', `is taken: there is an instance ${number}`)]))
      : E.right(made.right)
  }

  return {
    create: ({ number, website, ...input }: NewInstance): Outcome<InstanceRow> => {
      const { state, faults } = draftAttributes(
        { attributes: settingsAttributes },
        { mode: 'put', input, previous: null, context: { zone: 'UTC', streamingHosts: [], strict: true } },
      )
      const all = [...faults, ...websiteFaults(website)]
      if (all.length > 0) return TE.left(badParameters(all))
      const rest = { settings: state, website: website?.replace(/\/+$/, '') ?? null }
      return () => (number === undefined ? insertAsNext(rest) : insertOnlyAs(number, rest))
    },
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
        rows.push(...found.right.documents.map(({ value }) => rowOf(value)))
        if (found.right.next === null) return E.right(rows)
      }
    },
  }
}
