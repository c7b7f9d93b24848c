/** The results on the search index as tables. */
import { spreadText } from '../spread.js'
import { aligned, grouped, verdict } from '../text-table.js'
import { searchTargets, type SearchResults, type SearchWrite } from './search-part.js'

const { mostCost, mostSize } = searchTargets

const writeLine = ({ title, rates, cost }: SearchWrite): readonly string[] => [
  title,
  grouped(rates.indexed.median),
  grouped(rates.plain.median),
  spreadText(cost),
  `at most ${mostCost} ${verdict(cost.median <= mostCost)}`,
]

export const searchReport = ({ writes, size: { documents, index } }: SearchResults): string =>
  [
    ...(writes.length === 0
      ? []
      : [
          'Writes with and without the search index, and the time of the first (of the processor) to that of the second.\n\n' +
            aligned([['', 'requests/s', 'without', 'time', 'target'], ...writes.map(writeLine)], [0, 4]),
        ]),
    `The search index has ${(index / 1e6).toFixed(1)} MB, the documents have ${(documents / 1e6).toFixed(1)} MB: ` +
      `${(index / documents).toFixed(2)}, at most ${mostSize} ${verdict(index <= mostSize * documents)}.`,
  ].join('\n\n')

/** The names of what did not reach its target. */
export const missedBySearch = ({ writes, size: { documents, index } }: SearchResults): readonly string[] => [
  ...writes.filter(({ cost }) => cost.median > mostCost).map(({ name }) => name),
  ...(index > mostSize * documents ? ['search-size'] : []),
]
