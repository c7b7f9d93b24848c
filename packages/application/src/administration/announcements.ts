import { E, t } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Clock, Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { decodeStored } from '../decode-stored.js'
import { contended } from '../failure.js'
import type { InstanceDocuments } from '../instance-store.js'

/** When something was announced, in milliseconds. Uses the wall clock, because other processes read it. */
type Announced = { readonly at: number }

/** Announced changes by unique id: changes that are checked and may not be written yet. */
export type Announcements<A extends Announced> = Readonly<Record<string, A>>

/** The form in which a collection stores announcements. */
export const announcementsOf = <A extends Announced>(announced: t.Type<A, unknown>, collection: string) =>
  t.readonly(t.type({ pending: t.record(t.string, announced) }), collection)

export type Board<A extends Announced> = {
  readonly documents: InstanceDocuments
  readonly instance: number
  readonly clock: Pick<Clock, 'now'>
  /** The document that has the announcements. */
  readonly id: string
  readonly codec: t.Type<{ readonly pending: Announcements<A> }, unknown>
}

/**
 * A crash can leave an announced change that is never written. Announcements expire after this number of milliseconds.
 * One that is further in the future was made before the clock was set back, and has expired too.
 */
const lifetime = 60_000
const attempts = 50

const pendingIn = <A extends Announced>(
  { clock, codec, instance }: Board<A>,
  document: Document | null,
): Announcements<A> => {
  if (document === null) return {}
  const { pending } = decodeStored(codec, document, instance)
  const now = clock.now()
  return Object.fromEntries(Object.entries(pending).filter(([, { at }]) => Math.abs(now - at) < lifetime))
}

/**
 * Changes the announcements by compare and set, and retries with the current ones after a conflict. A change that is
 * checked against the stored state and all announcements, and then announced, excludes concurrent changes that would
 * break a rule only together (docs/decisions/0006-announced-section-moves.md).
 */
export const updateAnnouncements = async <A extends Announced>(
  board: Board<A>,
  next: (pending: Announcements<A>) => Promise<Announcements<A>>,
): Promise<void> => {
  const { documents, id } = board
  const collection = board.codec.name
  for (let attempted = 0; attempted < attempts; attempted += 1) {
    const loaded = await documents.get(collection, id)
    const value: JsonObject = { pending: await next(pendingIn(board, loaded)) }
    const document = { id, unique: null, value }
    const saved =
      loaded === null
        ? await documents.insert(collection, document)
        : await documents.replace(collection, { ...document, version: loaded.version })
    if (E.isRight(saved)) return
  }
  throw contended
}

/** Removes announcements after their writes. If that fails, they expire. */
export const withdrawAnnouncements = async <A extends Announced>(
  board: Board<A>,
  ids: readonly string[],
): Promise<void> => {
  await attempt(() =>
    updateAnnouncements(board, async (pending) =>
      Object.fromEntries(Object.entries(pending).filter(([id]) => !ids.includes(id))),
    ),
  )
}
