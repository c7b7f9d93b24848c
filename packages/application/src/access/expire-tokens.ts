import { systemCollections, systemInstance } from '../collections.js'
import { removeBelow } from '../engine/remove-below.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { tokens, previews, signInSessions, signInLinks, signInChallenges, waitingMail } = systemCollections
const expiring = [tokens, previews, signInSessions, signInLinks, signInChallenges, waitingMail]

/** Removes expired tokens, sessions, links with their mail, and challenges, and returns their number. Throws a PortFailure if the store fails. */
export const createExpireTokens =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    const system = documentsIn(documents, systemInstance)
    const expired = { key: 'expires', below: clock.now() + 1 }
    let removed = 0
    for (const { name } of expiring) removed += await removeBelow(system, name, expired)
    return removed
  }
