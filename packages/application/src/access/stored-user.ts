import { type User, userAttributes, userOf } from '@publishing-service/access'
import type { Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { decodeStored, storedCodec } from '../decode-stored.js'

/** An API user as it is stored. */
export const StoredUser = storedCodec(systemCollections.users.name, userAttributes)

/** The API user of a stored document. */
export const userIn = (document: Pick<Document, 'id' | 'value'>): User =>
  userOf(decodeStored(StoredUser, document))
