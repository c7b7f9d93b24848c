import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { tokens, previews } = systemCollections
const batchSize = 200

/** Removes expired tokens, those of previews too, and returns their number. Throws a PortFailure if the store fails. */
export const createExpireTokens =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    const system = documentsIn(documents, systemInstance)
    const expireIn = async (collection: string): Promise<number> => {
      let removed = 0
      for (;;) {
        const where = [{ key: 'expires', atMost: clock.now() }]
        const query = { where, order: [], skip: 0, limit: batchSize, detail: 'light' } as const
        const found = await system.find(collection, query)
        for (const { id, version } of found.documents) await system.remove(collection, id, version)
        removed += found.documents.length
        if (found.next === null) return removed
      }
    }
    return (await expireIn(tokens.name)) + (await expireIn(previews.name))
  }
