/** The administration of API keys (docs/behaviour/administration.md#keys). */
import { E, keyChangeProblem, keyRows, notFound, pipe, TE, type Parameters } from '@publishing-service/domain'
import { systemCollections } from '../collections.js'
import type { DeploymentOperation } from '../deployment-operation.js'
import { failIf } from '../failure.js'
import type { Listing } from '../objects/listing.js'
import type { IssuedKey } from './administer-keys.js'
import { confirmationIn } from './confirmation.js'
import { listRows } from './list-rows.js'

type User = { readonly user: string }
type Key = User & { readonly apiKey: string }

/** The keys of a user, revoked ones included. */
export const listKeys: DeploymentOperation<User & { readonly parameters: Parameters }, Listing> = {
  name: 'listKeys',
  permission: { subject: 'keys', action: 'read' },
  run: (session, { user, parameters }) =>
    pipe(
      session.administerUsers.find(session.rights, user),
      TE.chain(() =>
        listRows(session, {
          collection: systemCollections.keys.name,
          rows: keyRows,
          parameters,
          where: [{ key: 'user', equals: user }],
        }),
      ),
    ),
}

/** Creates a key with a secret, which is not shown again. */
export const createKey: DeploymentOperation<User, IssuedKey> = {
  name: 'createKey',
  permission: { subject: 'keys', action: 'create' },
  run: ({ administerUsers, administerKeys, rights, caller }, { user }) =>
    pipe(
      administerUsers.find(rights, user),
      TE.chain((owner) => failIf(keyChangeProblem(rights, owner))),
      TE.chain(() =>
        administerKeys.create({ user }, caller.id === null ? null : { user: caller.id, name: caller.user }),
      ),
    ),
  changed: ({ user }, { api_key: key }) => [{ object: key, changes: { user } }],
}

export const revokeKey: DeploymentOperation<Key & { readonly parameters: Parameters }, void> = {
  name: 'revokeKey',
  permission: { subject: 'keys', action: 'remove' },
  run: ({ administerUsers, administerKeys, rights }, { user, apiKey, parameters }) => {
    const isConfirmed = confirmationIn(parameters)
    if (E.isLeft(isConfirmed)) return TE.left(isConfirmed.left)
    return pipe(
      administerUsers.find(rights, user),
      TE.chain((owner) => failIf(keyChangeProblem(rights, owner))),
      TE.chain(() => administerKeys.find(apiKey)),
      TE.filterOrElseW(
        (key) => key.user === user,
        () => notFound,
      ),
      TE.chain(() => administerKeys.revoke(apiKey, isConfirmed.right)),
    )
  },
  changed: ({ user, apiKey }) => [{ object: apiKey, changes: { user } }],
}
