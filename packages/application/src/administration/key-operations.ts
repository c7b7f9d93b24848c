/** The administration of API keys (docs/behaviour/administration.md#keys). */
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import {
  deploymentOperations,
  type Key,
  keyAttributes,
  keyChanges,
  keyRows,
} from '@publishing-service/access'
import { fail, orThrow } from '../attempt.js'
import { systemCollections } from '../collections.js'
import type { DeploymentChange, DeploymentOperation } from '../deployment-operation.js'
import type { IssuedKey } from './administer-keys.js'
import { confirmationIn } from './confirmation.js'
import { draftOf } from './draft-of.js'
import { listRows } from './list-rows.js'
import { managedUser } from './managed-user.js'

type User = { readonly user: string }
type NamedKey = User & { readonly apiKey: string }

/** The keys of a user, revoked ones included. */
export const listKeys: DeploymentOperation<User & { readonly parameters: Parameters }, Listing> = {
  ...deploymentOperations.listKeys,
  run: async (session, { user, parameters }) => {
    await session.administerUsers.find(session.rights, user)
    return listRows(session, {
      collection: systemCollections.keys.name,
      rows: keyRows,
      parameters,
      where: [{ key: 'user', equals: user }],
    })
  },
}

type TitledKey = IssuedKey & { readonly title: string | null }

/** Creates a key with a secret, which is not shown again. */
export const createKey: DeploymentOperation<User & { readonly body: JsonObject }, TitledKey, 'TooManyKeys'> =
  {
    ...deploymentOperations.createKey,
    run: async (session, { user, body }, failWith) => {
      const { administerKeys, caller } = session
      await managedUser(session, user)
      const { title } = draftOf(session, keyAttributes, 'put', body, null)
      const maker = caller.id === null ? null : { user: caller.id, name: caller.user }
      const create = administerKeys.create({ user, title }, maker, (issued, write) =>
        session.recorded({ ...issued, title }, write),
      )
      const created = await create()
      return E.isLeft(created) ? failWith(created.left) : { ...created.right, title }
    },
    changed: ({ user }, { api_key: key, title }) => [
      { object: key, title, changes: keyChanges(user, { title }) },
    ],
  }

/** A key, and when it was revoked; null if that was before. */
type Revocation = Pick<Key, 'user' | 'title' | 'revoked'>

/** What the audit log says of a key that was revoked. */
export const revocationOf = (apiKey: string, { user, title, revoked }: Revocation): DeploymentChange => ({
  object: apiKey,
  title,
  changes: keyChanges(user, { revoked }),
})

export const revokeKey: DeploymentOperation<NamedKey & { readonly parameters: Parameters }, Revocation> = {
  ...deploymentOperations.revokeKey,
  run: async (session, { user, apiKey, parameters }) => {
    const { administerKeys, recorded } = session
    const isConfirmed = confirmationIn(parameters)
    await managedUser(session, user)
    const key = await orThrow(administerKeys.find(apiKey))
    if (key.user !== user) fail(notFound)
    await orThrow(administerKeys.revoke(apiKey, isConfirmed, recorded))
    return { user, title: key.title, revoked: null }
  },
  changed: ({ apiKey }, key) => [revocationOf(apiKey, key)],
}
