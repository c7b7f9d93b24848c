/** What the storms found, as a table for people. */
import { aligned } from '../bench/text-table.js'
import type { StormResult } from './run-storm.js'

const head = [
  'storm',
  'stores',
  'rounds',
  'kinds of writes',
  'acknowledged',
  'lost',
  'half-written',
  '503',
  'orphaned blobs',
  'faults',
  'minutes',
]

const line = (result: StormResult): readonly string[] => {
  const { storm, stores, rounds, kinds, refused, findings, orphans, faults, seconds } = result
  const found = (kind: string): string => String(findings.filter((each) => each.kind === kind).length)
  return [
    storm,
    stores,
    String(rounds),
    String(kinds.size),
    String([...kinds.values()].reduce((sum, count) => sum + count, 0)),
    found('lost'),
    found('half-written'),
    String(refused),
    String(orphans),
    String(faults.length),
    (seconds / 60).toFixed(1),
  ]
}

/** Whether nothing was lost, half-written or otherwise wrong. */
export const isClean = ({ findings, faults }: StormResult): boolean =>
  findings.length === 0 && faults.length === 0

const mostTold = 20

/** What was found, one text each. */
export const troubles = ({ storm, stores, findings, faults }: StormResult): readonly string[] =>
  [...findings.map(({ kind, text }) => `${kind}: ${text}`), ...faults]
    .slice(0, mostTold)
    .map((text) => `${storm} on ${stores}: ${text.slice(0, 2000)}`)

export const report = (results: readonly StormResult[]): string =>
  [...results.flatMap(troubles), aligned([head, ...results.map(line)], [0, 1]), ''].join('\n')
