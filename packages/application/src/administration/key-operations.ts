/** The administration of API keys (docs/behaviour/administration.md#keys). */
import { notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Listing, Parameters } from '@publishing-service/domain/lists'
import { deploymentOperations, keyAttributes, keyRows } from '@publishing-service/access'
import { fail, orThrow } from '../attempt.js'
import { systemCollections } from '../collections.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import type { IssuedKey } from './administer-keys.js'
import { confirmationIn } from './confirmation.js'
import { draftOf } from './draft-of.js'
import { listRows } from './list-rows.js'
import { managedUser } from './managed-user.js'

type User = { readonly user: string }
type Key = User & { readonly apiKey: string }

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
    changed: ({ user }, { api_key: key, title }) => [{ object: key, title, changes: { user } }],
  }

/** Revokes a key, and returns its title. */
export const revokeKey: DeploymentOperation<Key & { readonly parameters: Parameters }, string | null> = {
  ...deploymentOperations.revokeKey,
  run: async (session, { user, apiKey, parameters }) => {
    const { administerKeys, recorded } = session
    const isConfirmed = confirmationIn(parameters)
    await managedUser(session, user)
    const { user: holder, title = null } = await orThrow(administerKeys.find(apiKey))
    if (holder !== user) fail(notFound)
    await orThrow(administerKeys.revoke(apiKey, isConfirmed, (_key, write) => recorded(title, write)))
    return title
  },
  changed: ({ user, apiKey }, title) => [{ object: apiKey, title, changes: { user } }],
}
