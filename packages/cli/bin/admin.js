// `npm run --silent admin -- …`: builds when needed, then does one administrative task.
import '../../composition-root/bin/check-node.js'

const { ensureBuilt } = await import('../../composition-root/bin/ensure-built.js')
await ensureBuilt()
const { admin } = await import('../dist/admin.js')
await admin()
