import { badParameters, fault, homepage, nowIn, tagCategory, type Settings } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstHomepage } from '@publishing-service/domain/content'
import { firstCategory } from '@publishing-service/domain/tags'
import { settingsAttributes } from '@publishing-service/domain/access'
import { draftAttributes, uniqueTextOf, acceptedState } from '@publishing-service/domain/engine'
import type { NewDocument } from '@publishing-service/ports'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { attempt, unwrap } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { contended, type Outcome } from '../failure.js'
import { documentsIn, unlessFailed } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
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

const { name: collection } = systemCollections.instances
const attempts = 50

const rowOf = ({ number, settings = {} }: StoredInstance): InstanceRow => ({ id: number, settings })

export type AdministerInstances = {
  readonly create: (instance: NewInstance) => Outcome<InstanceRow>
  readonly createNext: (input: JsonObject, strict: boolean) => Outcome<InstanceRow>
  /** By number. */
  readonly list: () => Outcome<readonly InstanceRow[]>
}

/**
 * Creates and lists instances. They are numbered from 1 in the order of their creation, unless a number is
 * given; the number of a deleted instance is never used again.
 */
export const administerInstances = ({
  documents,
  clock,
}: Pick<Ports, 'documents' | 'clock'>): AdministerInstances => {
  const last = async (): Promise<number> => {
    const order = [{ key: 'number', direction: 'desc' }] as const
    const query = { where: [], order, skip: 0, limit: 1, detail: 'light' } as const
    const [found] = unwrap(await documents.find(collection, systemInstance, query)()).documents
    return found === undefined ? 0 : decodeStored(StoredInstance, found).number
  }

  /** Creates the instance with this number; null if the number is taken. */
  const insertAs = async (number: number, settings: JsonObject): Promise<InstanceRow | null> => {
    const { timezone } = acceptedState(settingsAttributes, settings)
    const first = [
      { resource: homepage, id: firstHomepage.id, value: firstHomepage.initial },
      {
        resource: tagCategory,
        id: firstCategory.id,
        value: firstCategory.initial(nowIn(timezone, clock.now())),
      },
    ]
    // Written before the instance, so that it always has them. Existing ones are left unchanged.
    for (const { resource, id, value } of first)
      await insert(resource.collection, number, { id, unique: uniqueTextOf(resource, value), value })
    const document = { id: String(number), unique: null, value: { number, settings, places: true } }
    const isInserted = await insert(collection, systemInstance, document)
    return isInserted ? { id: number, settings } : null
  }

  /** Whether the document is written; false if there is one. */
  const insert = async (name: string, instance: number, document: NewDocument): Promise<boolean> => {
    const inserted = await documents.insert(name, instance, document)()
    return E.isRight(unlessFailed(inserted))
  }

  const insertAsNext = async (settings: JsonObject): Promise<InstanceRow> => {
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const created = await insertAs((await last()) + 1, settings)
      if (created !== null) return created
    }
    throw contended
  }

  const insertOnlyAs = async (number: number, settings: JsonObject): Promise<InstanceRow> => {
    const found = unwrap(await documents.get(collection, systemInstance, String(number))())
    const isDeleted = found !== null && !isLiveInstance(decodeStored(StoredInstance, found))
    const made = isDeleted ? null : await insertAs(number, settings)
    const reason = isDeleted ? `instance ${number} was deleted` : `there is an instance ${number}`
    if (made === null) throw badParameters([fault('number', 'taken', `is taken: ${reason}`)])
    return made
  }

  const createWith =
    (input: JsonObject, strict: boolean, number?: number): Outcome<InstanceRow> =>
    () =>
      attempt(async () => {
        const { state, faults } = draftAttributes(
          { attributes: settingsAttributes },
          { mode: 'put', input, previous: null, context: { zone: 'UTC', streamingHosts: [], strict } },
        )
        if (faults.length > 0) throw badParameters(faults)
        return number === undefined ? insertAsNext(state) : insertOnlyAs(number, state)
      })

  return {
    create: ({ number, ...input }: NewInstance): Outcome<InstanceRow> => createWith(input, true, number),
    createNext: (input: JsonObject, strict: boolean): Outcome<InstanceRow> => createWith(input, strict),
    list: (): Outcome<readonly InstanceRow[]> => () =>
      attempt(async () => {
        const rows: InstanceRow[] = []
        const order = [{ key: 'number', direction: 'asc' }] as const
        const scan = { documents: documentsIn(documents, systemInstance), collection, order, limit: 1000 }
        await forEachPage(scan, (page) => {
          const instances = page.map((each) => decodeStored(StoredInstance, each))
          rows.push(...instances.filter(isLiveInstance).map(rowOf))
        })
        return rows
      }),
  }
}
