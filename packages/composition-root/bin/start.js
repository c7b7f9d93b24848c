// `npm start`: builds when needed, then runs the service in this very process, which so gets its signals.
import './check-node.js'

const { ensureBuilt } = await import('./ensure-built.js')
await ensureBuilt()
const { main } = await import('../dist/main.js')
await main()
