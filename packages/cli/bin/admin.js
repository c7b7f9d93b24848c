// `npm run --silent admin -- …`: builds when needed, then does one administrative task.
import { createRequire } from 'node:module'
import '../../composition-root/bin/check-node.js'

/** Milliseconds in which a command has loaded what it needs. */
const usualStart = 2000

const { ensureBuilt } = await import('../../composition-root/bin/ensure-built.js')
await ensureBuilt()
// A reader of the output may end before it, such as `head`. The command does its work nevertheless.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})
const require = createRequire(import.meta.url)
const { admin } = require('../../composition-root/dist/bundle/admin.cjs')
const { endStart } = require('../../composition-root/bin/load-program.cjs')
setTimeout(endStart, usualStart).unref()
await admin()
