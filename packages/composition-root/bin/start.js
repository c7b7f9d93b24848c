// `npm start`: builds when needed, then runs the service in this very process, which so gets its signals.
import { createRequire } from 'node:module'
import './check-node.js'

const { ensureBuilt } = await import('./ensure-built.js')
await ensureBuilt()
const { main } = createRequire(import.meta.url)('../dist/bundle/start.cjs')
await main()
