import type { User } from '@publishing-service/access'
import { systemCollections } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import { userIn } from './stored-user.js'

/** Those of these API users that exist, by UUID. Throws a PortFailure. */
export type FindUsers = (users: readonly string[]) => Promise<ReadonlyMap<string, User>>

export const createFindUsers =
  (systemDocuments: Pick<InstanceDocuments, 'getMany'>): FindUsers =>
  async (users) => {
    const documents = await systemDocuments.getMany(systemCollections.users.name, users, 'light')
    return new Map(documents.map((document) => [document.id, userIn(document)]))
  }
