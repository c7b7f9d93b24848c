import { jsonObject, t, type Settings } from '@publishing-service/domain'
import type { Instance } from '../caller.js'
import { systemCollections } from '../collections.js'

/**
 * An instance as it is stored. The document of a deleted instance remains, so that its number is never used again:
 * `deleted` is when its deletion began, in milliseconds since 1970, and `finished` when all its data, including the
 * settings, was removed. `zone_changed` is when the time zone changed, until the occurrences of events are listed again.
 * `computed` names the computed attributes that all its documents have.
 */
export const StoredInstance = t.readonly(
  t.intersection([
    t.type({ number: t.number }),
    t.partial({
      settings: jsonObject,
      deleted: t.union([t.number, t.null]),
      finished: t.number,
      zone_changed: t.number,
      computed: t.string,
    }),
  ]),
  systemCollections.instances.name,
)
export type StoredInstance = t.TypeOf<typeof StoredInstance>

export const isLiveInstance = ({ deleted }: StoredInstance): boolean => typeof deleted !== 'number'

export const instanceOf = (number: number, { settings = {} }: StoredInstance): Instance => ({
  number,
  settings: settings as unknown as Settings,
})
