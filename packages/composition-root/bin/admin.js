// `npm run --silent admin -- …`: builds when needed, then does one administrative task.
import { ensureBuilt } from './ensure-built.js'

ensureBuilt()
const { admin } = await import('../dist/admin/admin.js')
await admin()
