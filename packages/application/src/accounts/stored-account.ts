import {
  accountOf,
  type AccountState,
  storedAccount,
  storedAccountAttributes,
  type User,
} from '@publishing-service/access'
import type { Filter } from '@publishing-service/domain/filters'
import { putDocument, removeDocument, type Change, type Document } from '@publishing-service/ports'
import { userIn } from '../access/stored-user.js'
import { unrecorded, type Recorded } from '../recording.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored, storedCodec } from '../decode-stored.js'
import { targetIn, type WriteDocument } from '../engine/update-document.js'
import { documentsIn, type InstanceDocuments } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { accounts: collection, users } = systemCollections

const StoredAccount = storedCodec(collection.name, storedAccountAttributes)

export const accountIn = (document: Pick<Document, 'id' | 'value'>): AccountState =>
  accountOf(decodeStored(StoredAccount, document))

const target = targetIn(collection.name)

/** What a person has who has set up nothing. */
const noAccount = accountOf({})

/** A user with its UUID. */
export type NamedUser = { readonly id: string; readonly user: User }

/** The ways in of people. Functions throw a Failure. */
export type Accounts = {
  /** Without ways in for a user that has no account, or does not exist. */
  readonly read: (user: string) => Promise<AccountState>
  /** Changes the account, and makes it if there is none. */
  readonly change: (
    user: string,
    rule: (before: AccountState) => AccountState,
    recorded?: Recorded<null>,
  ) => Promise<AccountState>
  /** Such a change, for a write with others. */
  readonly changeOf: (user: string, rule: (before: AccountState) => AccountState) => Promise<Change>
  /** The changes that remove the account of a user. */
  readonly removals: (user: string) => Promise<readonly Change[]>
  readonly user: (id: string) => Promise<User | null>
  readonly userWithEmail: (email: string) => Promise<NamedUser | null>
  /** The user whose account has this text under the key. */
  readonly userWith: (key: 'passkey_keys' | 'identity_keys', text: string) => Promise<NamedUser | null>
}

const first = async (
  documents: InstanceDocuments,
  name: string,
  filter: Filter,
): Promise<Document | null> => {
  const found = await documents.find(name, { where: [filter], order: [], skip: 0, limit: 1, detail: 'full' })
  return found.documents[0] ?? null
}

export const createAccounts = (
  { documents: all, clock }: Pick<Ports, 'documents' | 'clock'>,
  write: WriteDocument,
): Accounts => {
  const documents = documentsIn(all, systemInstance)

  const user = async (id: string): Promise<User | null> => {
    const found = await documents.get(users.name, id)
    return found === null ? null : userIn(found)
  }

  return {
    read: async (id) => {
      const found = await documents.get(collection.name, id)
      return found === null ? noAccount : accountIn(found)
    },

    change: async (id, rule, recorded = unrecorded.write) => {
      const value = await write(
        target,
        id,
        async (before) => ({
          ...before,
          ...storedAccount(rule(before === null ? noAccount : accountIn({ id, value: before }))),
        }),
        (_written, writeAll) => recorded(null, writeAll),
      )
      return accountIn({ id, value })
    },

    changeOf: async (id, rule) => {
      const found = await documents.get(collection.name, id)
      const before = found === null ? noAccount : accountIn(found)
      const value = { ...found?.value, ...storedAccount(rule(before)) }
      return putDocument(collection.name, { id, unique: null, value }, found, clock)
    },

    removals: async (id) => {
      const found = await documents.get(collection.name, id)
      return found === null ? [] : [removeDocument(collection.name, found)]
    },

    user,

    userWithEmail: async (email) => {
      const found = await first(documents, users.name, { key: 'email', equals: email })
      return found === null ? null : { id: found.id, user: userIn(found) }
    },

    userWith: async (key, text) => {
      const found = await first(documents, collection.name, { key, has: text })
      const owner = found === null ? null : await user(found.id)
      return found === null || owner === null ? null : { id: found.id, user: owner }
    },
  }
}
