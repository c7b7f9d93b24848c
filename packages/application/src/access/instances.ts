import { LRUCache } from 'lru-cache'
import { badParameters, notFound, type WriteMode } from '@publishing-service/domain'
import { TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { settingsAttributes } from '@publishing-service/domain/roles'
import { draftAttributes } from '@publishing-service/domain/engine'
import type { Caller, Instance } from '../caller.js'
import { attempt, fail, unwrap } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { entryLimit } from '../entry-limit.js'
import type { Outcome } from '../failure.js'
import { unrecorded, type Recorded } from '../recording.js'
import type { Written } from '../instance-store.js'
import { settingsCounter, type WriteCounters } from '../write-counters.js'
import { requirePrecondition, type Precondition } from '../engine/precondition.js'
import { targetIn, type UpdateDocument } from '../engine/update-document.js'
import type { Deployment, Ports } from '../ports.js'
import { instanceOf, isLiveInstance, StoredInstance } from './stored-instance.js'

/** Milliseconds for which an instance is cached. Changes by other processes, and deletions, are visible after this time. */
const freshness = 3000

const { name: collection } = systemCollections.instances

const instancesTarget = targetIn(collection)

type Entry = {
  readonly instance: Instance
  /** The writes of this process to instances before the read. A later one, such as a deletion, ends the entry. */
  readonly writes: number
  readonly until: number
}

/** Instances and their settings (docs/behaviour/instance.md#settings), cached for a few seconds. */
export type Instances = {
  /** NotFound if there is no such instance. */
  readonly find: (number: number) => Outcome<Instance>
  /** Changes the settings that are sent, or replaces all of them. */
  readonly change: (
    caller: Pick<Caller, 'instance' | 'strict'>,
    mode: WriteMode,
    input: JsonObject,
    precondition?: Precondition,
    recorded?: Recorded<Written>,
  ) => Promise<void>
  /** Called when the occurrences of events are listed in a zone that was set at this time, unless it has changed again. */
  readonly endZoneChange: (id: string, changed: number) => Promise<unknown>
  /** Called when all documents of the instance have these computed attributes. */
  readonly recordComputed: (id: string, computed: string) => Promise<unknown>
  /** Called when all objects of the instance have documents of their places among the public paths. */
  readonly recordPlaces: (id: string) => Promise<unknown>
}

export const createInstances = (
  { documents, clock }: Pick<Ports, 'documents' | 'clock'>,
  update: UpdateDocument,
  { streamingHosts }: Pick<Deployment, 'streamingHosts'>,
  writeCounters: WriteCounters,
): Instances => {
  const changes = settingsCounter(writeCounters)
  const cached = new LRUCache<number, Entry>(entryLimit(1000))

  const find: Instances['find'] = (number) => {
    const [begun, writes] = [clock.monotonic(), changes.value]
    const entry = cached.get(number)
    if (entry !== undefined && entry.writes === writes && entry.until > begun) return TE.right(entry.instance)
    return () =>
      attempt(async () => {
        const document = unwrap(await documents.get(collection, systemInstance, String(number))())
        const stored = document === null ? null : decodeStored(StoredInstance, document)
        if (stored === null || !isLiveInstance(stored)) fail(notFound)
        const instance = instanceOf(number, stored)
        cached.set(number, { instance, writes, until: begun + freshness })
        return instance
      })
  }

  const change: Instances['change'] = async (
    caller,
    mode,
    input,
    precondition,
    recorded = unrecorded.write,
  ) => {
    const id = String(caller.instance.number)
    const changed = async (value: JsonObject): Promise<JsonObject> => {
      const stored = decodeStored(StoredInstance, { id, value })
      if (!isLiveInstance(stored)) fail(notFound)
      const previous: JsonObject = { ...instanceOf(caller.instance.number, stored).settings }
      const context = { zone: caller.instance.settings.timezone, streamingHosts, strict: caller.strict }
      const { state, faults } = draftAttributes(
        { attributes: settingsAttributes },
        { mode, input, previous, context },
      )
      if (faults.length > 0) fail(badParameters(faults))
      requirePrecondition(precondition, previous)
      return {
        ...value,
        settings: state,
        ...(state['timezone'] === previous['timezone'] ? {} : { zone_changed: clock.now() }),
      }
    }
    await update(instancesTarget, id, changed, recorded)
  }

  const endZoneChange: Instances['endZoneChange'] = (id, changed) =>
    update(instancesTarget, id, async (value) => {
      const { zone_changed, ...rest } = value
      return zone_changed === changed ? rest : value
    })

  const recordComputed: Instances['recordComputed'] = (id, computed) =>
    update(instancesTarget, id, async (value) => ({ ...value, computed }))

  const recordPlaces: Instances['recordPlaces'] = (id) =>
    update(instancesTarget, id, async (value) => ({ ...value, places: true }))

  return { find, change, endZoneChange, recordComputed, recordPlaces }
}
