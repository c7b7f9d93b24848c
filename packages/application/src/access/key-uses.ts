import { E } from '@publishing-service/domain/fp'
import { keysTarget, StoredKey } from '../administration/stored-keys.js'
import { decodeStored } from '../decode-stored.js'
import type { UpdateDocument } from '../engine/update-document.js'
import { attempt, fail } from '../attempt.js'
import type { Ports } from '../ports.js'

const minute = 60_000

/**
 * Collects when keys were last used, to the minute, and writes the times in the background: at most one write per key
 * and minute (docs/behaviour/administration.md#keys).
 */
export type KeyUses = {
  readonly note: (apiKey: string) => void
  /** Writes the times that were noted since the last call. Throws a PortFailure. */
  readonly write: () => Promise<number>
}

export const createKeyUses = ({ clock }: Pick<Ports, 'clock'>, update: UpdateDocument): KeyUses => {
  let used = new Map<string, number>()
  return {
    note: (apiKey: string): void => {
      used.set(apiKey, clock.now())
    },
    write: async (): Promise<number> => {
      const noted = used
      used = new Map()
      for (const [apiKey, time] of noted) {
        const last = Math.floor(time / minute) * minute
        const result = await attempt(() =>
          update(keysTarget, apiKey, async (value) => {
            const { last_used: before } = decodeStored(StoredKey, { id: apiKey, value })
            return (before ?? 0) < last ? { ...value, last_used: last } : value
          }),
        )
        if (E.isLeft(result) && result.left._tag === 'PortFailure') fail(result.left)
      }
      return noted.size
    },
  }
}
