import { t } from '@publishing-service/domain/fp'
import { type RightsChange, rightsChangeProblem } from '@publishing-service/access'
import { throwIf } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import type { KeyedMutex } from '../keyed-mutex.js'
import { announcementsOf, updateAnnouncements, withdrawAnnouncements } from './announcements.js'
import type { Ports } from '../ports.js'
import { readWaysIn } from './stored-keys.js'

const ofUser = { user: t.string, at: t.number }

const Announced = t.readonly(
  t.union([
    t.type({ kind: t.literal('newKey'), key: t.string, ...ofUser }),
    t.type({ kind: t.literal('revokedKey'), key: t.string, ...ofUser }),
    t.type({ kind: t.literal('removedUser'), ...ofUser }),
    t.type({
      kind: t.literal('reducedRights'),
      instances: t.readonlyArray(t.number),
      operator: t.boolean,
      ...ofUser,
    }),
  ]),
)

const codec = announcementsOf(Announced, systemCollections.rightsChanges.name)

/** Checks a change against the stored keys and all announced changes, and announces it. */
export type AnnounceRights = (change: RightsChange, isConfirmed: boolean) => Promise<void>

/** Runs a write, which announces its change before it makes it, at each attempt. */
export type GuardRights = <A>(write: (announce: AnnounceRights) => Promise<A>) => Promise<A>

/**
 * Makes changes of keys and rights one step with their check, also between processes: a change is announced before it
 * is written, and withdrawn afterwards. So of two changes that together leave an instance without an admin, the
 * second is refused (docs/decisions/0068-changes-of-rights-are-announced.md).
 */
export const createGuardRights = (
  { documents, clock, ids }: Pick<Ports, 'documents' | 'clock' | 'ids'>,
  exclusively: KeyedMutex,
): GuardRights => {
  const board = {
    documents: documentsIn(documents, systemInstance),
    clock,
    instance: systemInstance,
    id: 'pending',
    codec,
  } as const

  return async (write) => {
    const id = ids.uuid()
    let isAnnounced = false
    const announce: AnnounceRights = (change, isConfirmed) =>
      exclusively(`${systemInstance}/rights`, async () => {
        await updateAnnouncements(board, async ({ [id]: _earlier, ...others }) => {
          const keys = await readWaysIn(documents)
          throwIf(rightsChangeProblem(keys, Object.values(others), change, isConfirmed))
          return { ...others, [id]: { ...change, at: clock.now() } }
        })
        isAnnounced = true
      })
    try {
      return await write(announce)
    } finally {
      if (isAnnounced) await withdrawAnnouncements(board, [id])
    }
  }
}
