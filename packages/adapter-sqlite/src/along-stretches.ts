/** A walk in the order of creation that passes over what a range leaves out, however long the stretch. */
import type { CollectionLayout } from './collection-layout.js'
import { quoted } from './key-column.js'
import { instanceSlot, type PageSource, slotsOf } from './page-source.js'
import { stretchLength } from './stretches-table.js'

const stretch = 'stretch'

/** A walk in that order without the stretches that lie out of the ranges that it tests. */
export const alongStretches = ({ stretches }: CollectionLayout, source: PageSource): PageSource => {
  const ranges = source.tests.flatMap(({ kind, key, operator, slots }) => {
    const extremes = kind === 'range' && key !== null ? stretches?.extremes.get(key) : undefined
    if (extremes === undefined || operator === undefined) return []
    const extreme = operator.startsWith('<') ? extremes.least : extremes.most
    return [{ sql: `${stretch}.${extreme} ${operator} ?`, slots }]
  })
  if (stretches === null || ranges.length === 0) return source
  const { sequence } = source.row
  const first = `${stretch}.first`
  return {
    ...source,
    // CROSS: the stretches go first.
    from: `${quoted(stretches.name)} AS ${stretch} CROSS JOIN ${source.from}`,
    where: [
      `${stretch}.instance = ?`,
      ...ranges.map(({ sql }) => sql),
      `${sequence} BETWEEN ${first} AND ${first} + ${stretchLength - 1}`,
      ...source.where,
    ],
    slots: [instanceSlot, ...slotsOf(ranges), ...source.slots],
    created: [first, ...source.created],
    behind: [`${first} > ? - ${stretchLength}`, ...source.behind],
  }
}
