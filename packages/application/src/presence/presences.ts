import {
  afterHeartbeat,
  isPresent,
  mostPresent,
  type Presence,
  presenceSeconds,
} from '@publishing-service/access'
import { t } from '@publishing-service/domain/fp'
import type { Clock } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { removeBelow } from '../engine/remove-below.js'
import type { InstanceDocuments } from '../instance-store.js'

const { name: collection } = systemCollections.presences

/** A user who has an object open. `of` is the instance, collection and id of the object. */
const StoredPresence = t.readonly(
  t.type({ of: t.string, user: t.string, since: t.number, seen: t.number }),
  collection,
)

/** An object that users have open. */
export type OpenObject = {
  readonly instance: number
  readonly collection: string
  readonly object: string
}

const ofObject = ({ instance, collection: of, object }: OpenObject): string => `${instance}/${of}/${object}`

/**
 * Who has objects open, in the store, so that all processes see the same. Functions throw a PortFailure. Nothing of it is a
 * change of an object: there is no version, no audit entry, and no cached response depends on it.
 */
export type Presences = {
  /** Those who have an object open: at most `mostPresent`, those who were first. */
  readonly of: (open: OpenObject) => Promise<readonly Presence[]>
  /** Records the heartbeat of a user. */
  readonly beat: (open: OpenObject, user: string) => Promise<void>
  /** Records that a user has closed an object. */
  readonly leave: (open: OpenObject, user: string) => Promise<void>
  /** Removes those who are gone, and returns their number. */
  readonly expire: () => Promise<number>
}

export const createPresences = (documents: InstanceDocuments, clock: Pick<Clock, 'now'>): Presences => {
  const idOf = (open: OpenObject, user: string): string => `${ofObject(open)}/${user}`

  return {
    of: async (open) => {
      const now = clock.now()
      const where = [
        { key: 'of', equals: ofObject(open) },
        { key: 'seen', atLeast: now - presenceSeconds * 1000 },
      ]
      const query = { where, order: [], skip: 0, limit: mostPresent, detail: 'light' } as const
      const found = await documents.find(collection, query)
      return found.documents
        .map((document) => decodeStored(StoredPresence, document))
        .filter((presence) => isPresent(presence, now))
        .toSorted((one, other) => one.since - other.since)
    },
    beat: async (open, user) => {
      const id = idOf(open, user)
      const stored = await documents.get(collection, id)
      const before = stored === null ? null : decodeStored(StoredPresence, stored)
      const value = { of: ofObject(open), ...afterHeartbeat(user, before, clock.now()) }
      // A conflict is no failure: another window of the user has been faster.
      await (stored === null
        ? documents.insert(collection, { id, unique: null, value })
        : documents.replace(collection, { id, unique: null, version: stored.version, value }))
    },
    leave: async (open, user) => {
      const stored = await documents.get(collection, idOf(open, user))
      if (stored !== null) await documents.remove(collection, stored.id, stored.version)
    },
    expire: () =>
      removeBelow(documents, collection, { key: 'seen', below: clock.now() - presenceSeconds * 1000 }),
  }
}
