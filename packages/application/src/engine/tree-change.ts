import { badParameters, fault, type Fault, type Resource } from '@publishing-service/domain'
import type { Parent } from '@publishing-service/domain/engine'
import { maxSectionDepth } from '@publishing-service/domain/paths'
import { putDocument, type Change, type Document } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { batchesOf } from '../batches-of.js'
import { systemCollections } from '../collections.js'
import type { Session } from '../session.js'
import { forEachPage } from './for-each-page.js'

const { name: collection } = systemCollections.moves

/** The number of objects in one query. */
const batchSize = 100

/** The number of levels above the object, or a fault if it would be below itself. */
const levelsAbove = async (
  { documents }: Session,
  resource: Resource,
  id: string,
  parent: Parent,
): Promise<Fault | number> => {
  let above: string | null = parent.id
  let levels = 0
  for (; above !== null && levels < maxSectionDepth; levels += 1) {
    if (above === id)
      return fault(parent.key, 'rule', `must not be the ${resource.name} itself or one below it`)
    const found: Document | null = await documents.get(resource.collection, above)
    const next = found?.value[parent.key]
    above = typeof next === 'string' ? next : null
  }
  return levels
}

/** Whether the subtree of the object has more than this number of levels. */
const isDeeperThan = async (
  { documents }: Session,
  levels: number,
  resource: Resource,
  id: string,
  parent: Parent,
): Promise<boolean> => {
  let level: readonly string[] = [id]
  for (let height = 1; height <= levels; height += 1) {
    const below: string[] = []
    for (const parents of batchesOf(level, batchSize)) {
      const where = [{ key: parent.key, oneOf: parents }]
      await forEachPage({ documents, collection: resource.collection, where, limit: batchSize }, (found) =>
        found.forEach((child) => below.push(child.id)),
      )
    }
    if (below.length === 0) return false
    level = below
  }
  return true
}

const treeFault = async (
  session: Session,
  resource: Resource,
  id: string,
  parent: Parent,
): Promise<Fault | null> => {
  const above = await levelsAbove(session, resource, id, parent)
  if (typeof above !== 'number') return above
  return (await isDeeperThan(session, maxSectionDepth - above, resource, id, parent))
    ? fault(
        parent.key,
        'limit',
        `must not bring the ${resource.name}, or one below it, deeper than ${maxSectionDepth} levels`,
      )
    : null
}

/**
 * What a write changes that puts an object below a parent: the document of the tree, which every such write changes. So of two
 * that would break a rule of the tree only together, such as moves of two objects below each other, one conflicts and is
 * checked again. Throws BadParameters if the object would be below itself, or too deep.
 */
export const treeChange = async (
  session: Session,
  resource: Resource,
  id: string,
  parent: Parent,
): Promise<Change> => {
  const tree = await session.documents.get(collection, resource.collection)
  const found = await treeFault(session, resource, id, parent)
  if (found !== null) fail(badParameters([found]))
  return putDocument(collection, { id: resource.collection, unique: null, value: {} }, tree, session.clock)
}
