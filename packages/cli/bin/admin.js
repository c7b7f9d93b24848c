// `npm run --silent admin -- …`: builds when needed, then does one administrative task.
import { createRequire } from 'node:module'
import '../../composition-root/bin/check-node.js'

const { ensureBuilt } = await import('../../composition-root/bin/ensure-built.js')
await ensureBuilt()
// A reader of the output may end before it, such as `head`. The command does its work nevertheless.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error
})
const { admin } = createRequire(import.meta.url)('../../composition-root/dist/bundle/admin.cjs')
await admin()
