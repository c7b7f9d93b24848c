import { E } from '@publishing-service/domain/fp'
import { systemCollections } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import { noLinks } from '../no-links.js'
import type { InstanceRequest } from '../operation-request.js'
import type { Ports } from '../ports.js'
import { noKey, principalWith } from './principals.js'
import { userIn } from './stored-user.js'

/** A request that the service makes for an API user, with the roles that they have now; null if there is no such user. */
export const requestOfUser = async (
  { documents, ids }: { readonly documents: Pick<InstanceDocuments, 'get'> } & Pick<Ports, 'ids'>,
  instance: number,
  user: string | null,
): Promise<InstanceRequest | null> => {
  const found = user === null ? null : await documents.get(systemCollections.users.name, user)
  if (found === null) return null
  const { name, operator, roles } = userIn(found)
  const principal = principalWith({ id: found.id, user: name, key: noKey }, { operator, roles })
  return {
    identity: E.right(principal),
    address: null,
    requestId: ids.uuid(),
    links: noLinks,
    strict: false,
    instance,
  }
}
