import { fault } from '@publishing-service/domain'
import { utcTime } from '@publishing-service/domain/time'
import {
  effectiveRights,
  hasWayIn,
  type Key,
  keyAttributes,
  type OwnedKey,
  type User,
  userOf,
} from '@publishing-service/access'
import type { Document } from '@publishing-service/ports'
import { userIn } from '../access/stored-user.js'
import { accountIn } from '../accounts/stored-account.js'
import { batchesOf } from '../batches-of.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored, type StoredCodec, wholeCodec } from '../decode-stored.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { Target } from '../engine/update-document.js'
import type { Documents } from '../ports.js'

/** An API key without its secret, and the API user that it belongs to. */
export type KeyRow = User & {
  readonly api_key: string
  /** UUID of the API user. */
  readonly user: string
  /** UTC. */
  readonly created: string
  readonly revoked: string | null
  /** UUID of the API user that made it; null for the command line, and for keys of earlier versions. */
  readonly created_by: string | null
  /** Its name at that time. */
  readonly created_by_name: string | null
}

const { accounts, keys, users } = systemCollections

/** An API key as it is stored. */
export const StoredKey: StoredCodec<Key> = wholeCodec(keys.name, keyAttributes)

/** Keys, whose purposes are unique until they are revoked. */
export const keysTarget: Target = {
  collection: keys.name,
  uniqueText: ({ purpose = null, revoked = null }) =>
    typeof purpose === 'string' && revoked === null ? purpose : null,
  taken: fault('purpose', 'taken', 'has a key already'),
}

const rowOf = (document: Document, owners: ReadonlyMap<string, User>): KeyRow => {
  const { user, created, revoked, created_by, created_by_name } = decodeStored(StoredKey, document)
  return {
    api_key: document.id,
    user,
    ...(owners.get(user) ?? userOf({})),
    created: utcTime(created),
    revoked: revoked === null ? null : utcTime(revoked),
    created_by,
    created_by_name,
  }
}

/** All keys with the rights of their users, in the order of their creation. */
export const readKeys = async (documents: Documents): Promise<readonly KeyRow[]> => {
  const rows: KeyRow[] = []
  const order = [{ key: 'created', direction: 'asc' }] as const
  const system = documentsIn(documents, systemInstance)
  await forEachPage({ documents: system, collection: keys.name, order, limit: 500 }, async (page) => {
    const ids = [...new Set(page.map((each) => decodeStored(StoredKey, each).user))]
    const found = await system.getMany(users.name, ids, 'light')
    const owners = new Map(found.map((each) => [each.id, userIn(each)]))
    rows.push(...page.map((each) => rowOf(each, owners)))
  })
  return rows
}

/** The keys that are not revoked. */
export const readUsableKeys = async (documents: Documents): Promise<readonly KeyRow[]> => {
  const rows = await readKeys(documents)
  return rows.filter(({ revoked }) => revoked === null)
}

/** The keys that are not revoked, and the accounts with which people can sign in, with what their users may do. */
export const readWaysIn = async (documents: Documents): Promise<readonly OwnedKey[]> => {
  const system = documentsIn(documents, systemInstance)
  const people: string[] = []
  await forEachPage({ documents: system, collection: accounts.name, limit: 500 }, (page) => {
    for (const document of page) if (hasWayIn(accountIn(document))) people.push(document.id)
  })
  const found: Document[] = []
  for (const batch of batchesOf(people, 500))
    found.push(...(await system.getMany(users.name, batch, 'light')))
  const usable = await readUsableKeys(documents)
  return [
    ...usable.map((key) => ({ ...effectiveRights(key), user: key.user, api_key: key.api_key })),
    ...found.map((each) => ({ ...effectiveRights(userIn(each)), user: each.id, api_key: null })),
  ]
}
