import { systemCollections, systemInstance } from '../collections.js'
import { removeBelow } from '../engine/remove-below.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { tokens, previews } = systemCollections

/** Removes expired tokens, those of previews too, and returns their number. Throws a PortFailure if the store fails. */
export const createExpireTokens =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    const system = documentsIn(documents, systemInstance)
    const expired = { key: 'expires', below: clock.now() + 1 }
    return (
      (await removeBelow(system, tokens.name, expired)) + (await removeBelow(system, previews.name, expired))
    )
  }
