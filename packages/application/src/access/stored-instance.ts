import { badParameters, fault } from '@publishing-service/domain'
import { t } from '@publishing-service/domain/fp'
import { jsonObject } from '@publishing-service/domain/json'
import { settingsIn } from '@publishing-service/domain/roles'
import { fail, orThrow } from '../attempt.js'
import type { Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { UnreadableDocument } from '../instance-store.js'
import type { Ports } from '../ports.js'

/**
 * An instance as it is stored. The document of a deleted instance remains, so that its number is never used again:
 * `deleted` is when its deletion began, in milliseconds since 1970, and `finished` when all its data, including the
 * settings, was removed. `zone_changed` is when the time zone changed, until the occurrences of events are listed again.
 * `importing` identifies the bundle that an instance is being filled with: until it has all of it, it is as if it did not exist.
 * `computed` names the computed attributes that all its documents have; `places` is true if all its objects have
 * documents of their places among the public paths.
 */
export const StoredInstance = t.readonly(
  t.intersection([
    t.type({ number: t.number }),
    t.partial({
      settings: jsonObject,
      deleted: t.union([t.number, t.null]),
      finished: t.number,
      importing: t.string,
      zone_changed: t.number,
      computed: t.string,
      places: t.literal(true),
    }),
  ]),
  systemCollections.instances.name,
)
export type StoredInstance = t.TypeOf<typeof StoredInstance>

export const isDeletedInstance = ({ deleted }: StoredInstance): boolean => typeof deleted === 'number'

/** Whether it is neither deleted nor still being imported. */
export const isLiveInstance = (stored: StoredInstance): boolean =>
  !isDeletedInstance(stored) && stored.importing === undefined

/** The instance of a document that is live. Throws an UnreadableDocument if its settings are damaged. */
export const instanceOf = (number: number, { settings: stored = {} }: StoredInstance): Instance => {
  const settings = settingsIn(stored)
  if (settings === null)
    throw new UnreadableDocument(systemCollections.instances.name, systemInstance, String(number))
  return { number, settings }
}

/** BadParameters where there is no such instance. */
export const requireInstance = async (
  { documents }: Pick<Ports, 'documents'>,
  instance: number,
): Promise<void> => {
  const { name } = systemCollections.instances
  const found = await orThrow(documents.get(name, systemInstance, String(instance)))
  if (found === null || !isLiveInstance(decodeStored(StoredInstance, found)))
    fail(badParameters([fault('instance', 'reference', `there is no instance ${instance}`)]))
}
