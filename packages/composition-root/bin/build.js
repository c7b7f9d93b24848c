// `npm run build`: builds all projects, or only the one whose folder is given, with its references.
import './check-node.js'

const { build } = await import('./ensure-built.js')
await build(process.argv[2])
