/** The results of the scenarios, as a table. */
import { aligned } from '../bench/text-table.js'
import type { ChaosResult } from './run-chaos-test.js'

const head = [
  'scenario',
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

const line = (result: ChaosResult): readonly string[] => {
  const { scenario, stores, rounds, kinds, refused, findings, orphans, faults, seconds } = result
  const found = (kind: string): string => String(findings.filter((each) => each.kind === kind).length)
  return [
    scenario,
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
export const isClean = ({ findings, faults }: ChaosResult): boolean =>
  findings.length === 0 && faults.length === 0

const maxProblems = 20

/** What was found, one text each. */
export const problemLines = ({ scenario, stores, findings, faults }: ChaosResult): readonly string[] =>
  [...findings.map(({ kind, text }) => `${kind}: ${text}`), ...faults]
    .slice(0, maxProblems)
    .map((text) => `${scenario} on ${stores}: ${text.slice(0, 2000)}`)

export const report = (results: readonly ChaosResult[]): string =>
  [...results.flatMap(problemLines), aligned([head, ...results.map(line)], [0, 1]), ''].join('\n')
