import {
  badParameters,
  E,
  fault,
  instancesLosingAdmin,
  isRole,
  notFound,
  parseUuid,
  pipe,
  roles as roleNames,
  TE,
  type Fault,
} from '@publishing-service/domain'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import type { StoredUser } from '../access/stored-user.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { contended, type Failure, type Outcome } from '../failure.js'
import type { UpdateDocument, WritableTarget } from '../objects/update-document.js'
import type { Ports } from '../ports.js'
import { keyPurpose, readKeys, StoredKey, type KeyRow } from './stored-keys.js'

/** Whom a key is for: an API user that exists, or a new one with one role. */
export type KeyOwner =
  | { readonly user: string }
  | {
      readonly instance: number
      readonly role: string
      /** What people call the API user. */
      readonly name?: string
    }

export type NewKey = KeyOwner & {
  /** Chosen values, as a deployment's bootstrap sets them; made up where not given. */
  readonly apiKey?: string
  readonly apiSecret?: string
  /** Of keys that are made for one purpose only the first is; its revocation frees the purpose. */
  readonly purpose?: string
}

/** The only time that the secret is shown. */
export type IssuedKey = { readonly api_key: string; readonly api_secret: string }

/** The API user of a new key. `undo` removes a user that was created for it. */
type Owner = { readonly user: string; readonly undo: () => Promise<unknown> }

const { instances, keys, users } = systemCollections

const keysTarget: WritableTarget = {
  collection: keys.name,
  unique: keyPurpose,
  refusal: () => null,
  urgent: true,
}

/** Keys and secrets are made of these characters only (docs/behaviour/access.md#keys). */
const keyText = /^[A-Za-z0-9_-]+$/

/** What is wrong with a role on an instance, by itself. */
export const roleFaults = (instance: number, role: string): readonly Fault[] => [
  ...(isRole(role) ? [] : [fault('role', `must be one of ${roleNames.join(', ')}`)]),
  ...(Number.isSafeInteger(instance) && instance > 0
    ? []
    : [fault('instance', 'must be the number of an instance')]),
]

const newKeyFaults = (request: NewKey): readonly Fault[] => {
  const { apiKey, apiSecret } = request
  return [
    ...('user' in request ? [] : roleFaults(request.instance, request.role)),
    ...(apiKey === undefined || (keyText.test(apiKey) && apiKey.length <= 128)
      ? []
      : [fault('api_key', 'must have 1 to 128 characters of A-Z, a-z, 0-9, underscore and hyphen')]),
    ...(apiSecret === undefined ||
    (keyText.test(apiSecret) && apiSecret.length >= 16 && apiSecret.length <= 256)
      ? []
      : [fault('api_secret', 'must have 16 to 256 characters of A-Z, a-z, 0-9, underscore and hyphen')]),
  ]
}

/** BadParameters where there is no such instance. */
export const requireInstance = ({ documents }: Pick<Ports, 'documents'>, instance: number): Outcome<void> =>
  pipe(
    documents.get(instances.name, systemInstance, String(instance)),
    TE.chainEitherKW((found) =>
      found !== null && isLiveInstance(decodeStored(StoredInstance, found))
        ? E.right<Failure, void>(undefined)
        : E.left(badParameters([fault('instance', `there is no instance ${instance}`)])),
    ),
  )

/** Issues, lists and revokes API keys. Roles belong to the API user of a key (docs/behaviour/access.md#keys). */
export const administerKeys = (
  ports: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>,
  update: UpdateDocument,
) => {
  const { documents, clock, ids, secrets } = ports

  const insertUser = async (value: StoredUser): Promise<E.Either<Failure, Owner>> => {
    const id = ids.uuid()
    const result = await documents.insert(users.name, systemInstance, { id, unique: null, value })()
    if (E.isLeft(result)) return E.left(result.left._tag === 'PortFailure' ? result.left : contended)
    const { version } = result.right
    return E.right({ user: id, undo: documents.remove(users.name, systemInstance, id, version) })
  }

  const existingUser = async (text: string): Promise<E.Either<Failure, Owner>> => {
    const missing = E.left(badParameters([fault('user', `there is no user ${text}`)]))
    const user = parseUuid(text)
    if (user === null) return missing
    const found = await documents.get(users.name, systemInstance, user)()
    if (E.isLeft(found)) return found
    return found.right === null ? missing : E.right({ user, undo: () => Promise.resolve() })
  }

  const insertKey = async (id: string, value: StoredKey): Promise<E.Either<Failure, void>> => {
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
    const issued = { api_key: request.apiKey ?? ids.name(), api_secret: request.apiSecret ?? ids.secret() }
    const checked = 'user' in request ? E.right(undefined) : await requireInstance(ports, request.instance)()
    if (E.isLeft(checked)) return checked
    const hash = await secrets.hash(issued.api_secret)()
    if (E.isLeft(hash)) return E.left(hash.left._tag === 'SecretsBusy' ? contended : hash.left)
    const owner =
      'user' in request
        ? await existingUser(request.user)
        : await insertUser({
            name: request.name ?? `${request.role} of ${request.instance}`,
            roles: [{ instance: request.instance, roles: [request.role] }],
          })
    if (E.isLeft(owner)) return owner
    const insertedKey = await insertKey(issued.api_key, {
      user: owner.right.user,
      secret: hash.right,
      created: clock.now(),
      revoked: null,
      ...(request.purpose === undefined ? {} : { purpose: request.purpose }),
    })
    if (E.isRight(insertedKey)) return E.right(issued)
    // A new user would have no key. A store that failed may have written the key, though.
    if (insertedKey.left._tag !== 'PortFailure') await owner.right.undo()
    return insertedKey
  }

  return {
    create: (request: NewKey): Outcome<IssuedKey> => {
      const faults = newKeyFaults(request)
      return faults.length > 0 ? TE.left(badParameters(faults)) : () => issue(request)
    },
    list: (): Outcome<readonly KeyRow[]> => readKeys(documents),
    /** The instances that would have no admin key left without this one; NotFound where there is no such key. */
    instancesLosingAdmin: (apiKey: string): Outcome<readonly number[]> =>
      pipe(
        readKeys(documents),
        TE.chain((rows) => {
          if (rows.every((row) => row.api_key !== apiKey)) return TE.left<Failure>(notFound)
          const usable = rows.filter(({ revoked }) => revoked === null)
          const left = usable.filter((row) => row.api_key !== apiKey)
          return TE.right(instancesLosingAdmin(usable, left))
        }),
      ),
    revoke: (apiKey: string): Outcome<void> =>
      pipe(
        update(keysTarget, apiKey, (value) => {
          const { revoked } = decodeStored(StoredKey, { id: apiKey, value })
          return TE.right(revoked === null ? { ...value, revoked: clock.now() } : value)
        }),
        TE.map(() => undefined),
      ),
  }
}
