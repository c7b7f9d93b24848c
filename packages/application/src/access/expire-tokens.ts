import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { tokens } = systemCollections
const batchSize = 200

/** Removes expired tokens and returns their number. Throws a PortFailure if the store fails. */
export const createExpireTokens =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    const system = documentsIn(documents, systemInstance)
    let removed = 0
    for (;;) {
      const where = [{ key: 'expires', atMost: clock.now() }]
      const query = { where, order: [], skip: 0, limit: batchSize, detail: 'light' } as const
      const found = await system.find(tokens.name, query)
      for (const { id, version } of found.documents) await system.remove(tokens.name, id, version)
      removed += found.documents.length
      if (found.next === null) return removed
    }
  }
