import { badParameters, fault, type Fault, type Resource } from '@publishing-service/domain'
import { t } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { systemCollections } from '../collections.js'
import type { Session } from '../session.js'
import {
  announcementsOf,
  updateAnnouncements,
  withdrawAnnouncements,
  type Announcements,
} from './announcements.js'
import { forEachPage } from './for-each-page.js'

/** A move that is announced and may not be written yet: the object, the new parent, and the time in milliseconds. */
const Move = t.readonly(t.type({ id: t.string, parent: t.string, at: t.number }))
const StoredMoves = announcementsOf(Move, systemCollections.moves.name)

/** One object can have several moves, of which only one is written. */
type Moves = Announcements<t.TypeOf<typeof Move>>

/** The number of sections in one query. */
const batchSize = 100

/** The parents of an object: the stored one, and those of its announced moves. */
const parentsOf = async ({ documents }: Session, resource: Resource, id: string, moves: Moves) => {
  const loaded = await documents.get(resource.collection, id)
  const stored = loaded?.value[String(resource.parent)]
  const announced = Object.values(moves).filter((move) => move.id === id)
  return [stored, ...announced.map(({ parent }) => parent)].filter((parent) => typeof parent === 'string')
}

const childrenOf = async (
  { documents }: Session,
  resource: Resource,
  parents: readonly string[],
  moves: Moves,
) => {
  const announced = Object.values(moves).filter(({ parent }) => parents.includes(parent))
  const children = new Set(announced.map(({ id }) => id))
  const where = [{ key: String(resource.parent), oneOf: parents }]
  await forEachPage({ documents, collection: resource.collection, where, limit: batchSize }, (found) =>
    found.forEach(({ id }) => children.add(id)),
  )
  return children
}

/** The number of levels above the object, or a fault if it would be below itself. */
const levelsAbove = async (
  session: Session,
  resource: Resource,
  id: string,
  parent: string,
  moves: Moves,
): Promise<Fault | number> => {
  let level: readonly string[] = [parent]
  let levels = 0
  for (; level.length > 0 && levels < maxSectionDepth; levels += 1) {
    if (level.includes(id))
      return fault(String(resource.parent), 'rule', `must not be the ${resource.name} itself or one below it`)
    const above = new Set<string>()
    for (const each of level) {
      const parents = await parentsOf(session, resource, each, moves)
      parents.forEach((next) => above.add(next))
    }
    level = [...above]
  }
  return levels
}

/** Whether the subtree of the object has more than this number of levels. */
const isDeeperThan = async (
  session: Session,
  levels: number,
  resource: Resource,
  id: string,
  moves: Moves,
): Promise<boolean> => {
  let level: readonly string[] = [id]
  for (let height = 1; height <= levels; height += 1) {
    const below = new Set<string>()
    for (let start = 0; start < level.length; start += batchSize) {
      const children = await childrenOf(session, resource, level.slice(start, start + batchSize), moves)
      children.forEach((child) => below.add(child))
    }
    if (below.size === 0) return false
    level = [...below]
  }
  return true
}

const treeFault = async (
  session: Session,
  resource: Resource,
  id: string,
  parent: string,
  moves: Moves,
): Promise<Fault | null> => {
  const above = await levelsAbove(session, resource, id, parent, moves)
  if (typeof above !== 'number') return above
  const tooDeep = await isDeeperThan(session, maxSectionDepth - above, resource, id, moves)
  return tooDeep
    ? fault(
        String(resource.parent),
        'limit',
        `must not bring the ${resource.name}, or one below it, deeper than ${maxSectionDepth} levels`,
      )
    : null
}

/**
 * Writes a state whose parent changes, so that concurrent moves cannot form a cycle. Each move is announced in one
 * document of the instance by compare and set, after it is checked against the stored and the announced parents.
 */
export const moveInTree = <A>(
  session: Session,
  resource: Resource,
  id: string,
  parent: string,
  previous: JsonObject | null,
  write: () => Promise<A>,
): Promise<A> => {
  const { clock, documents, ids, exclusively } = session
  const { number } = session.instance
  const board = { documents, clock, instance: number, id: resource.collection, codec: StoredMoves }
  const previousParent = previous?.[String(resource.parent)]
  const moveId = ids.uuid()
  const undoId = `${moveId} back`
  return exclusively(`${resource.collection}/tree`, async () => {
    await updateAnnouncements(board, async (moves) => {
      const found = await treeFault(session, resource, id, parent, moves)
      if (found !== null) throw badParameters([found])
      const at = clock.now()
      return {
        ...moves,
        [moveId]: { id, parent, at },
        // The write is undone if the new parent is deleted, so moving back must not form a cycle either.
        ...(typeof previousParent === 'string' ? { [undoId]: { id, parent: previousParent, at } } : {}),
      }
    })
    try {
      return await write()
    } finally {
      await withdrawAnnouncements(board, [moveId, undoId])
    }
  })
}
