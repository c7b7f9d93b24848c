import { E, pipe, t, TE, type InstanceRoles, type JsonObject } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { rolesOf, StoredUser } from '../access/stored-user.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import type { Outcome } from '../failure.js'

export type KeyRow = {
  readonly api_key: string
  /** UUID of the API user. */
  readonly user: string
  /** The name of the API user. */
  readonly name: string
  readonly roles: readonly InstanceRoles[]
  /** Whether the API user administers the whole deployment. */
  readonly operator: boolean
  /** Milliseconds since 1970 */
  readonly created: number
  readonly revoked: number | null
  /** The API user that made it; null for the command line, and for keys of earlier versions. */
  readonly created_by: KeyMaker | null
}

/** The API user that made a key, with its name at that time. */
export type KeyMaker = { readonly user: string; readonly name: string }

const { keys, users } = systemCollections

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
export const keyPurpose = (value: JsonObject): string | null =>
  StoredKey.is(value) && value.revoked === null ? (value.purpose ?? null) : null

const rowOf = (
  id: string,
  { user, created, revoked, created_by: maker, created_by_name: name = '' }: StoredKey,
  owner: StoredUser,
): KeyRow => ({
  api_key: id,
  user,
  name: owner.name ?? '',
  roles: rolesOf(owner),
  operator: owner.operator ?? false,
  created,
  revoked,
  created_by: maker === undefined ? null : { user: maker, name },
})

/** All keys with the roles of their users, in the order of their creation. */
export const readKeys =
  (documents: DocumentStore): Outcome<readonly KeyRow[]> =>
  async () => {
    const rows: KeyRow[] = []
    for (let skip = 0; ; skip += 500) {
      const found = await documents.find(keys.name, systemInstance, {
        where: [],
        order: [{ key: 'created', direction: 'asc' }],
        skip,
        limit: 500,
        detail: 'light',
      })()
      if (E.isLeft(found)) return found
      const page = found.right.documents.map((each) => ({ id: each.id, key: decodeStored(StoredKey, each) }))
      const userIds = [...new Set(page.map(({ key }) => key.user))]
      const loaded = await documents.getMany(users.name, systemInstance, userIds, 'light')()
      if (E.isLeft(loaded)) return loaded
      const byId = new Map(loaded.right.map((user) => [user.id, decodeStored(StoredUser, user)]))
      rows.push(...page.map(({ id, key }) => rowOf(id, key, byId.get(key.user) ?? {})))
      if (found.right.next === null) return E.right(rows)
    }
  }

/** The keys that are not revoked. */
export const readUsableKeys = (documents: DocumentStore): Outcome<readonly KeyRow[]> =>
  pipe(
    readKeys(documents),
    TE.map((rows) => rows.filter(({ revoked }) => revoked === null)),
  )
