import { E, type InstanceRoles, type JsonObject } from '@publishing-service/domain'
import type { DocumentStore } from '@publishing-service/ports'
import { rolesOf } from '../access/stored-user.js'
import { systemCollections, systemInstance } from '../collections.js'
import type { Outcome } from '../failure.js'

export type KeyRow = {
  readonly api_key: string
  /** UUID of the API user. */
  readonly user: string
  /** What people call the API user. */
  readonly name: string
  readonly roles: readonly InstanceRoles[]
  /** Milliseconds since 1970 */
  readonly created: number
  readonly revoked: number | null
}

const { keys, users } = systemCollections

/** The unique text of a stored key: its purpose, until it is revoked. */
export const keyPurpose = ({ purpose, revoked }: JsonObject): string | null =>
  typeof purpose === 'string' && revoked === null ? purpose : null

const rowOf = (id: string, { user, created, revoked }: JsonObject, owner: JsonObject): KeyRow => ({
  api_key: id,
  user: String(user),
  name: String(owner['name'] ?? ''),
  roles: rolesOf(owner),
  created: Number(created),
  revoked: typeof revoked === 'number' ? revoked : null,
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
      const userIds = [...new Set(found.right.documents.map(({ value }) => String(value['user'])))]
      const loaded = await documents.getMany(users.name, systemInstance, userIds, 'light')()
      if (E.isLeft(loaded)) return loaded
      const byId = new Map(loaded.right.map((user) => [user.id, user.value]))
      rows.push(
        ...found.right.documents.map(({ id, value }) =>
          rowOf(id, value, byId.get(String(value['user'])) ?? {}),
        ),
      )
      if (found.right.next === null) return E.right(rows)
    }
  }
