import { E, rightsChangeProblem, t, type RightsChange } from '@publishing-service/domain'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { noProblem, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import type { KeyedMutex } from '../keyed-mutex.js'
import { announcementsOf, updateAnnouncements } from '../objects/announcements.js'
import type { Ports } from '../ports.js'
import { readUsableKeys } from './stored-keys.js'

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
export type AnnounceRights = (change: RightsChange, isConfirmed: boolean) => Outcome<void>

/** Runs a write, which announces its change before it makes it, at each attempt. */
export type GuardRights = <A>(write: (announce: AnnounceRights) => Outcome<A>) => Outcome<A>

/**
 * Makes changes of keys and rights one step with their check, also between processes: a change is announced before it
 * is written, and withdrawn afterwards. So of two changes that together leave an instance without an admin key, the
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
    urgent: true,
  } as const

  return (write) => async () => {
    const id = ids.uuid()
    let isAnnounced = false
    const announce: AnnounceRights = (change, isConfirmed) =>
      exclusively(`${systemInstance}/rights`, async () => {
        const announced = await updateAnnouncements(board, ({ [id]: _earlier, ...others }) =>
          attempt(async (get) => {
            const keys = get(await readUsableKeys(documents)())
            get(noProblem(rightsChangeProblem(keys, Object.values(others), change, isConfirmed)))
            return { ...others, [id]: { ...change, at: clock.now() } }
          }),
        )()
        if (E.isLeft(announced)) return announced
        isAnnounced = true
        return announced
      })
    const written = await write(announce)()
    // If this fails, the announcement expires. The write is complete in both cases.
    if (isAnnounced) await updateAnnouncements(board, async ({ [id]: _own, ...others }) => E.right(others))()
    return written
  }
}
