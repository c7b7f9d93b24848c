/** The presence of users at objects (docs/behaviour/presence.md). */
import { forbidden, type Resource } from '@publishing-service/domain'
import { operations } from '@publishing-service/domain/roles'
import type { JsonObject } from '@publishing-service/domain/json'
import { utcTime } from '@publishing-service/domain/time'
import { fail } from '../attempt.js'
import { requireChangeable, requireUnchanged } from '../history/versions.js'
import type { ReadOperation, WriteOperation } from '../operation.js'
import type { Session } from '../session.js'
import type { OpenObject } from './presences.js'

type Named = { readonly id: string }
type Rows = readonly JsonObject[]

const openObject = ({ instance }: Session, { collection }: Resource, object: string): OpenObject => ({
  instance: instance.number,
  collection,
  object,
})

/** Who has the object open. A user who was deleted is left out. */
const rowsOf = async ({ findUsers, presences }: Session, open: OpenObject): Promise<Rows> => {
  const present = await presences.of(open)
  const users = await findUsers(present.map(({ user }) => user))
  return present.flatMap(({ user, since, seen }) => {
    const name = users.get(user)?.name
    return name === undefined ? [] : [{ user, name, since: utcTime(since), seen: utcTime(seen) }]
  })
}

/** The user of the session. Nobody else has an object open. */
const requireUser = ({ user }: Session): string => {
  if (user === null) fail(forbidden)
  return user
}

export const readPresence = (resource: Resource): ReadOperation<Named, Rows> => ({
  ...operations.readPresence(resource.collection),
  run: async (session, { id }) => {
    await requireChangeable(session, resource, id)
    return rowsOf(session, openObject(session, resource, id))
  },
})

/** The heartbeat of a user who has the object open; returns who else has. */
export const notePresence = (resource: Resource): WriteOperation<Named, Rows> => ({
  ...operations.notePresence(resource.collection),
  changed: () => null,
  run: async (session, { id }) => {
    await requireUnchanged(session, resource, id)
    const open = openObject(session, resource, id)
    await session.presences.beat(open, requireUser(session))
    return rowsOf(session, open)
  },
})

export const removePresence = (resource: Resource): WriteOperation<Named, void> => ({
  ...operations.removePresence(resource.collection),
  changed: () => null,
  run: async (session, { id }) => {
    await requireUnchanged(session, resource, id)
    await session.presences.leave(openObject(session, resource, id), requireUser(session))
  },
})
