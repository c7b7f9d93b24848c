import { challengeEnd, isChallengeOpen } from '@publishing-service/access'
import { E, t } from '@publishing-service/domain/fp'
import { fail } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { removeStored } from '../engine/remove-stored.js'
import { contended } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { name: collection } = systemCollections.signInChallenges

/** What a challenge is for. One for something else is not accepted. */
export type ChallengePurpose = 'new passkey' | 'passkey' | 'one-time codes' | 'provider'

/** A challenge as it is stored, under its digest. */
const StoredChallenge = t.readonly(
  t.type({
    purpose: t.string,
    /** Who may answer it; null for anybody. */
    by: t.union([t.string, t.null]),
    /** What has to be known when it is answered. */
    content: t.readonly(t.record(t.string, t.string)),
    expires: t.number,
  }),
  collection,
)
type StoredChallenge = t.TypeOf<typeof StoredChallenge>
type Content = StoredChallenge['content']

const maxLength = 1000

/**
 * What a person has begun and finishes with another request, at any process, once and within five minutes. Functions throw a
 * Failure.
 */
export type SignInChallenges = {
  readonly open: (
    purpose: ChallengePurpose,
    challenge: string,
    by: string | null,
    content?: Content,
  ) => Promise<void>
  /** What an open challenge has to say. It does not end the challenge. */
  readonly find: (purpose: ChallengePurpose, challenge: string, by: string | null) => Promise<Content | null>
  /** Ends a challenge, in one step: of two answers at once, one receives null, as for a challenge that is none. */
  readonly close: (purpose: ChallengePurpose, challenge: string, by: string | null) => Promise<Content | null>
}

export const createSignInChallenges = ({
  documents: all,
  clock,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'secrets'>): SignInChallenges => {
  const documents = documentsIn(all, systemInstance)

  const read = async (purpose: ChallengePurpose, challenge: string, by: string | null) => {
    const found =
      challenge.length > maxLength ? null : await documents.get(collection, secrets.digest(challenge))
    if (found === null) return null
    const stored = decodeStored(StoredChallenge, found)
    const isValid =
      stored.purpose === purpose && stored.by === by && isChallengeOpen(stored.expires, clock.now())
    return isValid ? { id: found.id, version: found.version, content: stored.content } : null
  }

  return {
    open: async (purpose, challenge, by, content = {}) => {
      const id = secrets.digest(challenge)
      // The pending secret of a person takes the place of the last one.
      await removeStored(documents, collection, id)
      const value: StoredChallenge = { purpose, by, content, expires: challengeEnd(clock.now()) }
      const inserted = await documents.insert(collection, { id, unique: null, value })
      if (E.isLeft(inserted)) fail(contended)
    },

    find: async (purpose, challenge, by) => (await read(purpose, challenge, by))?.content ?? null,

    close: async (purpose, challenge, by) => {
      const found = await read(purpose, challenge, by)
      if (found === null) return null
      const removed = await documents.remove(collection, found.id, found.version)
      return E.isLeft(removed) ? null : found.content
    },
  }
}
