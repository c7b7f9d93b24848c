/** Who has an object open, before anyone writes it (docs/behaviour/presence.md). */
import { momentSchema, type Shape, shown, textSchema, uuidSchema } from '@publishing-service/domain/declare'

/** Seconds without a heartbeat after which a user is gone. */
export const presenceSeconds = 30

/** The most users of an object that are shown. */
export const mostPresent = 100

/** A user who has an object open. Times are in milliseconds since 1970. */
export type Presence = { readonly user: string; readonly since: number; readonly seen: number }

/** Whether the last heartbeat is recent. The clocks of processes differ, so it can seem to be ahead. */
export const isPresent = ({ seen }: Pick<Presence, 'seen'>, now: number): boolean =>
  Math.abs(now - seen) < presenceSeconds * 1000

/** The user after a heartbeat: present since the first one that no gap has followed. */
export const afterHeartbeat = (user: string, before: Presence | null, now: number): Presence => ({
  user,
  since: before !== null && isPresent(before, now) ? before.since : now,
  seen: now,
})

export const presenceShape: Shape = {
  attributes: {
    user: shown('user', uuidSchema, 'UUID of the API user.'),
    name: shown('name', textSchema, 'Name of that user.'),
    since: shown('since', momentSchema, 'Since when the user has the object open, in UTC.'),
    seen: shown('seen', momentSchema, 'When the last heartbeat of the user came, in UTC.'),
  },
}
