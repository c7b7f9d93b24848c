/** `npm run bench`: measures the service; fails if a response is wrong, never because of times. */
import { availableParallelism, loadavg } from 'node:os'
import { measureRows, measureServerRows, measureWorkerRows } from './measure-rows.js'
import { costsName, readOptions, usage, type Options } from './options.js'
import { costTable, rowTable, scaleTable, straightTable } from './report.js'
import { serverRows, serviceRows, workerRows } from './rows.js'
import { measureScale, scaleRows, serverScaleRows } from './scale.js'
import { postgresqlSeeds, sqliteSeeds } from './scale-seed.js'

const print = (...paragraphs: readonly string[]): void => {
  process.stdout.write(`${paragraphs.join('\n\n')}\n\n`)
}
const progress = (text: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

/** What the tables mean. */
const legend = `Ratios: requests per second to those of the baseline in the same round, minimum – median – maximum.
µs CPU: processor time per response, with that of PostgreSQL. Durable: the response is sent after the write is on the disk.
Uncached: without the response cache. Growth: µs CPU, relative to the smallest publication in the same round.`

const run = async (options: Options): Promise<void> => {
  const { names, rounds, seconds } = options
  const isChosen = ({ name }: { readonly name: string }): boolean => names.has(name)
  print(
    `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]}; ${rounds} rounds of ${seconds} s.`,
    legend,
  )
  if (serviceRows.some(isChosen) || names.has(costsName)) {
    const { results, costs, straight } = await measureRows(options, progress)
    print(
      'On SQLite and the file system; the baseline is a bare node:http that sends the same bytes:',
      rowTable(results),
      ...(straight === null
        ? []
        : [
            'GET over 3000 objects, uncached, and the straight line, which does only what this response needs on the same file:',
            straightTable(straight),
          ]),
      ...(costs === null ? [] : [costTable(costs)]),
    )
  }
  if (workerRows.some(isChosen))
    print(
      'Two workers on SQLite; the baseline is the service alone:',
      rowTable(await measureWorkerRows(options, progress)),
    )
  if (serverRows.some(isChosen))
    print(
      'On PostgreSQL and the file system; the baseline is the service on SQLite:',
      rowTable(await measureServerRows(options, progress)),
    )
  for (const [store, rows, open] of [
    ['SQLite', scaleRows, sqliteSeeds],
    ['PostgreSQL', serverScaleRows, postgresqlSeeds],
  ] as const)
    if (rows.some(isChosen))
      print(
        `Lists on publications of several sizes, on ${store}:`,
        scaleTable(await measureScale(rows, open, options, progress)),
      )
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
try {
  const options = readOptions(process.argv.slice(2))
  if (options === null) process.stdout.write(usage)
  else await run(options)
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
