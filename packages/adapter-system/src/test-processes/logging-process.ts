/** Logs to standard error and ends as its arguments specify. */
import { setImmediate } from 'node:timers/promises'
import { pinoLog } from '../pino-log.js'

const [ending = '', count = '0'] = process.argv.slice(2)
const log = pinoLog({ level: 'info' })
for (let line = 0; line < Number(count); line += 1)
  log.write('info', `event-${line}`, { text: 'x'.repeat(200) })

const toldToGoOn = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdin.once('data', () => {
      process.stdin.pause()
      resolve()
    })
  })

if (ending === 'exit') process.exit(0)
if (ending === 'throw') throw new Error('a defect')
if (ending === 'wait') {
  process.stdout.write('written')
  await toldToGoOn()
  process.exit(0)
}
if (ending === 'close') {
  process.stdout.write('written')
  await toldToGoOn()
  log.write('info', 'after')
  await setImmediate()
  await log.close()
  log.write('info', 'too late')
  process.stdout.write(' closed')
}
if (ending === 'full') {
  const full = pinoLog({ level: 'info', destination: '/dev/full' })
  for (const level of ['info', 'error', 'info'] as const)
    full.write(level, 'event', { text: 'x'.repeat(200) })
  await full.close()
  // Left open for the end of the process.
  pinoLog({ level: 'info', destination: '/dev/full' }).write('info', 'last')
  process.stdout.write('closed')
}
