import { E } from '@publishing-service/domain'
import { systemCollections, systemInstance } from '../collections.js'
import type { Ports } from '../ports.js'

const { tokens } = systemCollections
const batchSize = 200

/** Removes expired tokens and returns their number. Throws a PortFailure if the store fails. */
export const createExpireTokens =
  ({ documents, clock }: Pick<Ports, 'documents' | 'clock'>) =>
  async (): Promise<number> => {
    let removed = 0
    for (;;) {
      const found = await documents.find(tokens.name, systemInstance, {
        where: [{ key: 'expires', atMost: clock.now() }],
        order: [],
        skip: 0,
        limit: batchSize,
        detail: 'light',
      })()
      if (E.isLeft(found)) throw found.left
      for (const { id, version } of found.right.documents) {
        const result = await documents.remove(tokens.name, systemInstance, id, version)()
        // Another process may have removed it first.
        if (E.isLeft(result) && result.left._tag === 'PortFailure') throw result.left
        removed += 1
      }
      if (found.right.next === null) return removed
    }
  }
