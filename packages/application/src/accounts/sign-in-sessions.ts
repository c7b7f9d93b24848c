import {
  isSessionValid,
  sessionAttributes,
  sessionEnd,
  sessionRenewal,
  type StoredSession,
} from '@publishing-service/access'
import { E } from '@publishing-service/domain/fp'
import type { Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored, wholeCodec } from '../decode-stored.js'
import { removeAllStored, removeStored } from '../engine/remove-stored.js'
import { targetIn, type UpdateDocument } from '../engine/update-document.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { Browser } from './visit.js'

const { name: collection } = systemCollections.signInSessions

/** How a person has signed in. */
export type WayIn =
  | { readonly way: 'password' | 'passkey' | 'provider' | 'link' }
  | { readonly way: 'key'; readonly key: string }

const sessionCodec = wholeCodec(collection, sessionAttributes)

const target = targetIn(collection)

const prefix = 'session.'

/** The token of a session has a sign that no other token has. It is accepted in a cookie only. */
export const isSessionToken = (token: string): boolean => token.startsWith(prefix)

/** A session that has begun: its token, for the cookie of the browser. */
export type BegunSession = { readonly token: string; readonly user: string }

/** The sessions of the dashboard. Functions throw a Failure. */
export type SignInSessions = {
  readonly begin: (user: string, way: WayIn, browser: Browser) => Promise<BegunSession>
  /** The session of a document, if it is valid. */
  readonly valid: (
    document: Document,
  ) =>
    | (Pick<StoredSession, 'user' | 'key' | 'way' | 'authenticated' | 'expires'> & { readonly id: string })
    | null
  /** Extends a session that is used, if that was not done lately. */
  readonly renew: (document: Document) => Promise<void>
  readonly end: (id: string) => Promise<void>
  /** Ends the sessions of a user, except for one. */
  readonly endAll: (user: string, except: string | null) => Promise<void>
  /** Whose session it is, and how it was begun; null if there is none. */
  readonly read: (id: string) => Promise<Pick<StoredSession, 'user' | 'way'> | null>
}

const maxAgent = 300

export const createSignInSessions = (
  { documents: all, clock, ids, secrets }: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>,
  update: UpdateDocument,
): SignInSessions => {
  const documents = documentsIn(all, systemInstance)

  return {
    begin: async (user, wayIn, { address, agent }) => {
      const token = `${prefix}${ids.secret()}`
      const now = clock.now()
      const value: StoredSession = {
        user,
        way: wayIn.way,
        key: wayIn.way === 'key' ? wayIn.key : null,
        created: now,
        authenticated: now,
        used: now,
        expires: sessionEnd(now, now),
        agent: agent === null ? null : agent.slice(0, maxAgent).toWellFormed(),
        address,
      }
      const inserted = await documents.insert(collection, { id: secrets.digest(token), unique: null, value })
      if (E.isLeft(inserted)) throw new Error(`a new session was rejected: ${inserted.left._tag}`)
      return { token, user }
    },

    valid: (document) => {
      const { user, key, way, authenticated, expires } = decodeStored(sessionCodec, document)
      return isSessionValid(expires, clock.now())
        ? { id: document.id, user, key, way, authenticated, expires }
        : null
    },

    renew: async ({ id, value }) => {
      const now = clock.now()
      if (now - decodeStored(sessionCodec, { id, value }).used < sessionRenewal) return
      // A session that another process has ended stays ended.
      await attempt(() =>
        update(target, id, async (before) => {
          const { created } = decodeStored(sessionCodec, { id, value: before })
          return { ...before, used: now, expires: sessionEnd(created, now) }
        }),
      )
    },

    end: (id) => removeStored(documents, collection, id),

    endAll: async (user, except) => {
      const where = [{ key: 'user', equals: user }]
      await removeAllStored(documents, collection, where, ({ id }) => id !== except)
    },

    read: async (id) => {
      const found = await documents.get(collection, id)
      return found === null ? null : decodeStored(sessionCodec, found)
    },
  }
}
