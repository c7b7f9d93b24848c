/** `npm run bombs`: sends the hostile inputs to a service with each imaging adapter and prints their effects. */
import { hostileInputs } from './hostile-inputs.js'
import { runHostile, type Effect } from './measure-hostile.js'

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 0)

const row = ({
  name,
  bytes,
  status,
  message,
  seconds,
  processorSeconds,
  bytesAboveIdle,
  longestOtherRequest,
}: Effect): string =>
  [
    name.padEnd(52),
    megabytes(bytes).padStart(6),
    String(status),
    seconds.toFixed(2).padStart(6),
    processorSeconds.toFixed(2).padStart(6),
    megabytes(bytesAboveIdle).padStart(6),
    longestOtherRequest.toFixed(2).padStart(6),
    message,
  ].join('  ')

const only = process.argv[3]

for (const imaging of (process.argv[2] ?? 'jimp,sharp').split(',')) {
  process.stdout.write(
    `\nIMAGING=${imaging}\n${'input'.padEnd(52)}      MB  status  seconds  CPU s  MB above idle  longest other request s\n`,
  )
  const inputs = hostileInputs.filter(({ name }) => only === undefined || name.includes(only))
  const { exit, defects } = await runHostile(imaging, inputs, (effect) =>
    process.stdout.write(`${row(effect)}\n`),
  )
  process.stdout.write(
    `${inputs.length} inputs; the service ended with ${exit}; defects logged: ${defects.length}\n`,
  )
  for (const defect of defects) process.stdout.write(`${defect}\n`)
}
