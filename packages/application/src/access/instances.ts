import { LRUCache } from 'lru-cache'
import {
  badParameters,
  draftAttributes,
  E,
  notFound,
  pipe,
  settingsAttributes,
  TE,
  type JsonObject,
  type WriteMode,
} from '@publishing-service/domain'
import type { Caller, Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { entryLimit } from '../entry-limit.js'
import type { Failure, Outcome } from '../failure.js'
import { settingsCounter, type WriteCounters } from '../write-counters.js'
import { requirePrecondition, type Precondition } from '../objects/precondition.js'
import type { UpdateDocument, WritableTarget } from '../objects/update-document.js'
import type { Deployment, Ports } from '../ports.js'
import { instanceOf, isLiveInstance, StoredInstance } from './stored-instance.js'

/** Milliseconds for which an instance is cached. Changes by other processes are visible after this time. */
const freshness = 3000

const { name: collection } = systemCollections.instances

/** `execute` has checked that the caller may change settings. */
const instancesTarget: WritableTarget = {
  collection,
  unique: () => null,
  rejection: () => null,
}

/** Instances and their settings (docs/behaviour/instance.md#settings), cached for a few seconds. */
export const createInstances = (
  { documents, clock }: Pick<Ports, 'documents' | 'clock'>,
  update: UpdateDocument,
  { streamingHosts }: Pick<Deployment, 'streamingHosts'>,
  generations: WriteCounters,
) => {
  const changes = settingsCounter(generations)
  const cached = new LRUCache<number, { readonly instance: Instance; readonly until: number }>(
    entryLimit(1000),
  )

  const find = (number: number): Outcome<Instance> => {
    const entry = cached.get(number)
    if (entry !== undefined && entry.until > clock.monotonic()) return TE.right(entry.instance)
    const [begun, before] = [clock.monotonic(), changes.value]
    return pipe(
      documents.get(collection, systemInstance, String(number)),
      TE.chainEitherKW((document) => {
        const stored = document === null ? null : decodeStored(StoredInstance, document)
        if (stored === null || !isLiveInstance(stored)) return E.left<Failure, Instance>(notFound)
        const instance = instanceOf(number, stored)
        // Not cached if this process has changed it during the read.
        if (changes.value === before) cached.set(number, { instance, until: begun + freshness })
        return E.right(instance)
      }),
    )
  }

  /** Changes the settings that are sent, or replaces all of them. */
  const change = (
    caller: Pick<Caller, 'instance' | 'strict'>,
    mode: WriteMode,
    input: JsonObject,
    precondition?: Precondition,
  ): Outcome<void> => {
    const id = String(caller.instance.number)
    return pipe(
      update(instancesTarget, id, (value) => {
        const stored = decodeStored(StoredInstance, { id, value })
        if (!isLiveInstance(stored)) return TE.left(notFound)
        const previous: JsonObject = { ...instanceOf(caller.instance.number, stored).settings }
        const context = { zone: caller.instance.settings.timezone, streamingHosts, strict: caller.strict }
        const { state, faults } = draftAttributes(
          { attributes: settingsAttributes },
          { mode, input, previous, context },
        )
        if (faults.length > 0) return TE.left(badParameters(faults))
        return pipe(
          TE.fromEither(requirePrecondition(precondition, previous)),
          TE.map(() => ({
            ...value,
            settings: state,
            ...(state['timezone'] === previous['timezone'] ? {} : { zone_changed: clock.now() }),
          })),
        )
      }),
      TE.map(() => void cached.delete(caller.instance.number)),
    )
  }

  /** Called when the occurrences of events are listed in a zone that was set at this time, unless it has changed again. */
  const endZoneChange = (id: string, changed: number): Outcome<unknown> =>
    update(instancesTarget, id, (value) => {
      const { zone_changed, ...rest } = value
      return TE.right(zone_changed === changed ? rest : value)
    })

  /** Called when all documents of the instance have these computed attributes. */
  const recordComputed = (id: string, computed: string): Outcome<unknown> =>
    update(instancesTarget, id, (value) => TE.right({ ...value, computed }))

  return { find, change, endZoneChange, recordComputed }
}

export type Instances = ReturnType<typeof createInstances>
