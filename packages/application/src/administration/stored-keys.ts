import { t } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { effectiveRights, hasWayIn, type OwnedKey, type User, userOf } from '@publishing-service/access'
import type { Document } from '@publishing-service/ports'
import { userIn } from '../access/stored-user.js'
import { accountIn } from '../accounts/stored-account.js'
import { batchesOf } from '../batches-of.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
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

/**
 * An API key as it is stored: the UUID of its API user, the hash of its secret, and times in milliseconds since 1970.
 */
export const StoredKey = t.readonly(
  t.intersection([
    t.type({ user: t.string, secret: t.string, created: t.number, revoked: t.union([t.number, t.null]) }),
    t.partial({
      purpose: t.string,
      title: t.string,
      last_used: t.number,
      created_by: t.string,
      created_by_name: t.string,
    }),
  ]),
  keys.name,
)
export type StoredKey = t.TypeOf<typeof StoredKey>

/** The unique text of a stored key: its purpose, until it is revoked. */
const keyPurpose = (value: JsonObject): string | null =>
  StoredKey.is(value) && value.revoked === null ? (value.purpose ?? null) : null

export const keysTarget: Target = {
  collection: keys.name,
  uniqueText: keyPurpose,
}

const rowOf = (document: Document, owners: ReadonlyMap<string, User>): KeyRow => {
  const {
    user,
    created,
    revoked,
    created_by = null,
    created_by_name = null,
  } = decodeStored(StoredKey, document)
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
