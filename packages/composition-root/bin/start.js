// `npm start`: builds when needed, then runs the service in this very process, which so gets its signals, or its workers.
import { createRequire } from 'node:module'
import './check-node.js'

// The primary of a worker has built.
if (process.env.PUBLISHING_WORKER === undefined) {
  const { ensureBuilt } = await import('./ensure-built.js')
  await ensureBuilt()
}
const require = createRequire(import.meta.url)
const { main } = require('../dist/bundle/start.cjs')
await main()
require('./load-program.cjs').endStart()
