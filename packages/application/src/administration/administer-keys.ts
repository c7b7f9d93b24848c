import {
  badParameters,
  E,
  fault,
  isRole,
  notFound,
  roles as roleNames,
  TE,
  type Fault,
  type JsonObject,
  type Problem,
  type Role,
} from '@publishing-service/domain'
import type { Document } from '@publishing-service/ports'
import { rolesOf } from '../access/principals.js'
import { systemCollections, systemInstance } from '../collections.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { Ports } from '../ports.js'

export type NewKey = {
  readonly instance: number
  readonly role: string
  /** What people call the API user. */
  readonly name?: string
  /** Chosen values, as a deployment's bootstrap sets them; made up where not given. */
  readonly apiKey?: string
  readonly apiSecret?: string
  /** Of keys that are made for one purpose only the first is; its revocation frees the purpose. */
  readonly purpose?: string
}

/** The only time that the secret is shown. */
export type IssuedKey = { readonly api_key: string; readonly api_secret: string }

export type KeyRow = {
  readonly api_key: string
  readonly user: string
  readonly roles: readonly { readonly instance: number; readonly roles: readonly Role[] }[]
  /** Milliseconds since 1970 */
  readonly created: number
  readonly revoked: number | null
}

const { instances, keys, users } = systemCollections

/** The unique text of a stored key: its purpose, for as long as it holds. */
export const keyPurpose = ({ purpose, revoked }: JsonObject): string | null =>
  typeof purpose === 'string' && revoked === null ? purpose : null

/** Keys and secrets are made of these characters only (decisions §5.5). */
const keyText = /^[A-Za-z0-9_-]+$/

const newKeyFaults = ({ role, apiKey, apiSecret, instance }: NewKey): readonly Fault[] => [
  ...(isRole(role) ? [] : [fault('role', `must be one of ${roleNames.join(', ')}`)]),
  ...(Number.isSafeInteger(instance) && instance > 0
    ? []
    : [fault('instance', 'must be the number of an instance')]),
  ...(apiKey === undefined || (keyText.test(apiKey) && apiKey.length <= 128)
    ? []
    : [fault('api_key', 'must have 1 to 128 characters of A-Z, a-z, 0-9, underscore and hyphen')]),
  ...(apiSecret === undefined ||
  (keyText.test(apiSecret) && apiSecret.length >= 16 && apiSecret.length <= 256)
    ? []
    : [fault('api_secret', 'must have 16 to 256 characters of A-Z, a-z, 0-9, underscore and hyphen')]),
]

/** Issues, lists and revokes API keys. Roles belong to the API user behind a key (decisions §5.5). */
export const administerKeys = ({
  documents,
  clock,
  ids,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>) => {
  const insertUser = async (id: string, value: JsonObject): Promise<E.Either<Failure, Document>> => {
    const result = await documents.insert(users.name, systemInstance, { id, unique: null, value })()
    if (E.isRight(result)) return result
    return E.left(result.left._tag === 'PortFailure' ? result.left : contended)
  }

  const insertKey = async (id: string, value: JsonObject): Promise<E.Either<Failure, void>> => {
    const unique = keyPurpose(value)
    const result = await documents.insert(keys.name, systemInstance, { id, unique, value })()
    if (E.isRight(result)) return E.right(undefined)
    if (result.left._tag === 'PortFailure') return E.left(result.left)
    return E.left(
      badParameters([
        result.left._tag === 'UniqueConflict'
          ? fault('purpose', 'has a key already')
          : fault('api_key', 'is taken by another key'),
      ]),
    )
  }

  const issue = async (request: NewKey): Promise<E.Either<Failure, IssuedKey>> => {
    const instance = await documents.get(instances.name, systemInstance, String(request.instance))()
    if (E.isLeft(instance)) return instance
    if (instance.right === null)
      return E.left(badParameters([fault('instance', `there is no instance ${request.instance}`)]))
    const issued = { api_key: request.apiKey ?? ids.name(), api_secret: request.apiSecret ?? ids.secret() }
    const hash = await secrets.hash(issued.api_secret)()
    if (E.isLeft(hash)) return E.left(hash.left._tag === 'SecretsBusy' ? contended : hash.left)
    const user = ids.uuid()
    const roles = [{ instance: request.instance, roles: [request.role] }]
    const madeUser = await insertUser(user, {
      name: request.name ?? `${request.role} of ${request.instance}`,
      roles,
    })
    if (E.isLeft(madeUser)) return madeUser
    const madeKey = await insertKey(issued.api_key, {
      user,
      secret: hash.right,
      created: clock.now(),
      revoked: null,
      ...(request.purpose === undefined ? {} : { purpose: request.purpose }),
    })
    if (E.isRight(madeKey)) return E.right(issued)
    // Nobody holds a key of this user: it would only lie about. A store that failed may have written the key, though.
    if (madeKey.left._tag !== 'PortFailure')
      await documents.remove(users.name, systemInstance, user, madeUser.right.version)()
    return madeKey
  }

  const rowOf = (id: string, key: JsonObject, user: JsonObject): KeyRow => ({
    api_key: id,
    user: String(user['name'] ?? ''),
    roles: [...rolesOf(user)].map(([instance, roles]) => ({ instance, roles })),
    created: Number(key['created']),
    revoked: typeof key['revoked'] === 'number' ? key['revoked'] : null,
  })

  const list: Outcome<readonly KeyRow[]> = async () => {
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

  const revoke =
    (apiKey: string): Outcome<void> =>
    async () => {
      const missing: Problem = notFound
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const found = await documents.get(keys.name, systemInstance, apiKey)()
        if (E.isLeft(found)) return found
        if (found.right === null) return E.left(missing)
        const { id, version, value } = found.right
        if (value['revoked'] !== null) return E.right(undefined)
        const revoked = { ...value, revoked: clock.now() }
        const result = await documents.replace(keys.name, systemInstance, {
          id,
          version,
          unique: keyPurpose(revoked),
          value: revoked,
        })()
        if (E.isRight(result)) return E.right(undefined)
        if (result.left._tag === 'PortFailure') return E.left(result.left)
      }
      return E.left(contended)
    }

  return {
    create: (request: NewKey): Outcome<IssuedKey> => {
      const faults = newKeyFaults(request)
      return faults.length > 0 ? TE.left(badParameters(faults)) : () => issue(request)
    },
    list: (): Outcome<readonly KeyRow[]> => list,
    revoke,
  }
}
