import { badParameters, fault, homepage, nowIn, tagCategory, type Settings } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstHomepage } from '@publishing-service/domain/content'
import { firstCategory } from '@publishing-service/domain/tags'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { draftAttributes, acceptedState } from '@publishing-service/domain/engine'
import { isDeletedInstance, isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { attempt, fail, unwrap } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { unrecorded, type Recorded } from '../recording.js'
import { contended, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
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

/** The settings of a new instance in what was sent. Throws BadParameters. */
export const newSettings = (input: JsonObject, strict: boolean): JsonObject => {
  const { state, faults } = draftAttributes(
    { attributes: settingsAttributes },
    { mode: 'put', input, previous: null, context: { zone: 'UTC', streamingHosts: [], strict } },
  )
  if (faults.length > 0) fail(badParameters(faults))
  return state
}

export type AdministerInstances = {
  readonly create: (instance: NewInstance) => Outcome<InstanceRow>
  readonly createNext: (
    input: JsonObject,
    strict: boolean,
    recorded: Recorded<InstanceRow>,
  ) => Outcome<InstanceRow>
  /** By number. */
  readonly list: () => Outcome<readonly InstanceRow[]>
  /** Those whose import has begun and not ended, by number. */
  readonly listUnfinished: () => Outcome<readonly InstanceRow[]>
}

/**
 * Creates and lists instances. They are numbered from 1 in the order of their creation, unless a number is
 * given; the number of a deleted instance is never used again.
 */
export const administerInstances = ({
  documents,
  clock,
}: Pick<Ports, 'documents' | 'clock'>): AdministerInstances => {
  const system = documentsIn(documents, systemInstance)

  const last = async (): Promise<number> => {
    const order = [{ key: 'number', direction: 'desc' }] as const
    const query = { where: [], order, skip: 0, limit: 1, detail: 'light' } as const
    const [found] = unwrap(await documents.find(collection, systemInstance, query)()).documents
    return found === undefined ? 0 : decodeStored(StoredInstance, found).number
  }

  /** Creates the instance with this number; null if the number is taken. */
  const insertAs = async (
    number: number,
    settings: JsonObject,
    recorded: Recorded<InstanceRow>,
  ): Promise<InstanceRow | null> => {
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
      await documentsIn(documents, number).insert(resource.collection, {
        id,
        unique: resource.uniqueText(value),
        value,
      })
    const document = {
      id: String(number),
      position: clock.position(),
      unique: null,
      value: { number, settings, places: true },
    }
    const row = { id: number, settings }
    const inserted = await recorded(row, (appended) =>
      system.write([{ collection, kind: 'insert', document }], appended),
    )
    return E.isRight(inserted) ? row : null
  }

  const insertAsNext = async (
    settings: JsonObject,
    recorded: Recorded<InstanceRow>,
  ): Promise<InstanceRow> => {
    for (let attempted = 0; attempted < attempts; attempted += 1) {
      const created = await insertAs((await last()) + 1, settings, recorded)
      if (created !== null) return created
    }
    fail(contended)
  }

  const insertOnlyAs = async (number: number, settings: JsonObject): Promise<InstanceRow> => {
    const found = unwrap(await documents.get(collection, systemInstance, String(number))())
    const isDeleted = found !== null && isDeletedInstance(decodeStored(StoredInstance, found))
    const made = isDeleted ? null : await insertAs(number, settings, unrecorded.write)
    const reason = isDeleted ? `instance ${number} was deleted` : `there is an instance ${number}`
    if (made === null) fail(badParameters([fault('number', 'taken', `is taken: ${reason}`)]))
    return made
  }

  const createWith =
    (
      input: JsonObject,
      strict: boolean,
      insert: (settings: JsonObject) => Promise<InstanceRow>,
    ): Outcome<InstanceRow> =>
    () =>
      attempt(async () => insert(newSettings(input, strict)))

  const rowsWhere =
    (isListed: (stored: StoredInstance) => boolean): Outcome<readonly InstanceRow[]> =>
    () =>
      attempt(async () => {
        const rows: InstanceRow[] = []
        const order = [{ key: 'number', direction: 'asc' }] as const
        await forEachPage({ documents: system, collection, order, limit: 1000 }, (page) => {
          const instances = page.map((each) => decodeStored(StoredInstance, each))
          rows.push(...instances.filter(isListed).map(rowOf))
        })
        return rows
      })

  return {
    create: ({ number, ...input }) =>
      createWith(input, true, (settings) =>
        number === undefined ? insertAsNext(settings, unrecorded.write) : insertOnlyAs(number, settings),
      ),
    createNext: (input, strict, recorded) =>
      createWith(input, strict, (settings) => insertAsNext(settings, recorded)),
    list: () => rowsWhere(isLiveInstance),
    listUnfinished: () => rowsWhere((stored) => !isDeletedInstance(stored) && stored.importing !== undefined),
  }
}
