/** The comparison of sizes as tables. */
import { spreadText } from '../spread.js'
import { aligned, grouped, verdict } from '../text-table.js'
import type { ListResult } from './measure-lists.js'
import type { ScaleRowResult } from './measure-scale.js'
import type { ScaleResults } from './scale-part.js'
import { maxGrowth } from './scale-rows.js'

const rowLines = ({ title, sizes }: ScaleRowResult): readonly (readonly string[])[] =>
  sizes.map(({ size, requestsPerSecond, processor, growth }, index) => [
    index === 0 ? title : '',
    grouped(size.locations),
    grouped(requestsPerSecond.median),
    processor === null ? '–' : grouped(processor),
    spreadText(growth),
    index === 0 ? '' : verdict(growth.median <= maxGrowth),
  ])

/** Whether a list takes longer at the larger size, by more than single responses vary. */
export const grows = ({ small, large }: ListResult): boolean =>
  large > small * maxGrowth && large - small > 0.5

const listTable = (lists: readonly ListResult[]): string => {
  const grown = lists.filter(grows).toSorted((a, b) => b.large - a.large)
  const held = `Lists: ${lists.length - grown.length} of ${lists.length} first pages take no longer at 100 000 objects of each kind than at 1 000.`
  if (grown.length === 0) return held
  const lines = grown.map(({ name, role, small, large }) => [
    name,
    role,
    small.toFixed(1),
    large.toFixed(1),
    (large / small).toFixed(1),
  ])
  return `${held} These do:\n\n${aligned([['', 'role', 'ms at 1 000', 'ms at 100 000', 'ratio'], ...lines], [0, 1])}`
}

export const scaleReport = ({ rows, lists, leftOut }: ScaleResults): string =>
  [
    ...(rows.length === 0
      ? []
      : [
          `Growth is time a response (of the processor) to that at the smallest size, of the same round: at most ${maxGrowth}.\n\n${aligned(
            [['', 'locations', 'requests/s', 'µs CPU', 'growth', 'target'], ...rows.flatMap(rowLines)],
            [0, 5],
          )}`,
        ]),
    ...(lists.length === 0 ? [] : [listTable(lists)]),
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join('; ')}.`]),
  ].join('\n\n')
