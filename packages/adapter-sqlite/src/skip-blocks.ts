/** A walk in the order of insertion that skips the blocks of documents that a range excludes. */
import { blockLength } from './block-range-index.js'
import type { CollectionLayout } from './collection-layout.js'
import type { IndexWalk } from './index-walk.js'
import { quoted } from './key-column.js'
import { instanceSlot, slotsOf } from './sql-conditions.js'

/** The walk with the block range index, if that has a key of a range that the walk tests. */
export const skipBlocks = ({ blockRanges }: CollectionLayout, walk: IndexWalk): IndexWalk => {
  const ranges = walk.tests.flatMap(({ kind, key, operator, slots }) => {
    const extremes = kind === 'range' && key !== null ? blockRanges?.bounds.get(key) : undefined
    if (extremes === undefined || operator === undefined) return []
    const extreme = operator.startsWith('<') ? extremes.lower : extremes.upper
    return [{ sql: `block.${extreme} ${operator} ?`, slots }]
  })
  if (blockRanges === null || ranges.length === 0) return walk
  const { sequence } = walk.row
  return {
    ...walk,
    // CROSS makes SQLite read the blocks first.
    from: `${quoted(blockRanges.name)} AS block CROSS JOIN ${walk.from}`,
    where: [
      'block.instance = ?',
      ...ranges.map(({ sql }) => sql),
      `${sequence} BETWEEN block.first AND block.first + ${blockLength - 1}`,
      ...walk.where,
    ],
    slots: [instanceSlot, ...slotsOf(ranges), ...walk.slots],
    insertion: ['block.first', ...walk.insertion],
    after: [`block.first > ? - ${blockLength}`, ...walk.after],
  }
}
