/** The results as tables. Spreads are minimum – median – maximum over the rounds. */
import type { Costs, RowResult, Straight } from './measure-rows.js'
import type { Measured, Rounds } from './measure.js'
import type { ScaleResult } from './scale.js'

const targets = { start: 4, idle: 120, peak: 260, growth: 1.3, straight: 2 } as const

const medianOf = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
}

const spreadText = (numbers: readonly number[]): string =>
  [Math.min(...numbers), medianOf(numbers), Math.max(...numbers)].map((each) => each.toFixed(2)).join(' – ')

/** With a space between thousands; `–` is unknown. */
const grouped = (value: number): string =>
  Number.isNaN(value) ? '–' : value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ' ')

const medians = (rounds: Rounds, ...figures: readonly (keyof Measured)[]): readonly string[] =>
  figures.map((figure) => grouped(medianOf(rounds.map((each) => each[figure]))))

/** A figure of each round of one side, divided by that of the other side. */
const ratiosOf = (side: Rounds, other: Rounds, figure: (measured: Measured) => number): readonly number[] =>
  side.map((measured, round) => figure(measured) / Math.max(...other.slice(round, round + 1).map(figure)))

/** Time per response: of the processor, if the system reports it. */
const timeOf = ({ rate, processor }: Measured): number => (Number.isNaN(processor) ? 1 / rate : processor)

const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'not reached')

/** The first line is the head. The first and the last column are aligned left. */
const table = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const padded = (cell: string, column: number): string => {
    const isText = column === 0 || column === widths.length - 1
    return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  }
  return lines.map((line) => line.map(padded).join('   ').trimEnd()).join('\n')
}

export const rowTable = (results: readonly RowResult[]): string =>
  table([
    ['', 'requests/s', 'p99 ms', 'µs CPU', 'µs CPU baseline', 'ratio to baseline', 'target'],
    ...results.map(({ row: { title, target }, service, baseline }) => {
      const ratios = ratiosOf(service, baseline, ({ rate }) => rate)
      const figures = [...medians(service, 'rate', 'p99', 'processor'), ...medians(baseline, 'processor')]
      return [title, ...figures, spreadText(ratios), `${target} ${verdict(medianOf(ratios) >= target)}`]
    }),
  ])

/** The processor time of the service, relative to what the machine can do. */
export const straightTable = ({ service, straight }: Straight): string => {
  const ratios = ratiosOf(service, straight, timeOf)
  const target = `${targets.straight} ${verdict(medianOf(ratios) <= targets.straight)}`
  return table([
    ['', 'requests/s', 'µs CPU', 'ratio of µs', 'target'],
    ['the service', ...medians(service, 'rate', 'processor'), spreadText(ratios), target],
    ['the straight line', ...medians(straight, 'rate', 'processor'), '', ''],
  ])
}

export const costTable = ({ service, baseline, idle, peak }: Costs): string => {
  const ratio = medianOf(service) / medianOf(baseline)
  return table([
    ['', '', 'target'],
    ['seconds of a cold start, to the first 200', spreadText(service), ''],
    ['  of the baseline', spreadText(baseline), ''],
    ['  ratio', ratio.toFixed(1), `${targets.start} ${verdict(ratio <= targets.start)}`],
    ['MB of memory, idle', grouped(idle / 1e6), `${targets.idle} ${verdict(idle <= targets.idle * 1e6)}`],
    [
      '  peak under these rows',
      grouped(peak / 1e6),
      `${targets.peak} ${verdict(peak <= targets.peak * 1e6)}`,
    ],
  ])
}

export const scaleTable = (results: readonly ScaleResult[]): string =>
  table([
    ['', 'objects', 'requests/s', 'µs CPU', 'growth', 'target'],
    ...results.flatMap(({ title, sizes }) =>
      sizes.map(({ objects, rounds }, index) => {
        const growth = ratiosOf(rounds, sizes[0]?.rounds ?? [], timeOf)
        const figures = [grouped(objects), ...medians(rounds, 'rate', 'processor'), spreadText(growth)]
        const target = `${targets.growth} ${verdict(medianOf(growth) <= targets.growth)}`
        return [index === 0 ? title : '', ...figures, target]
      }),
    ),
  ])
