// Ends `npm run build`: what isn't compiled is put into place, and the next start needn't ask the compiler.
import { finishBuild } from './ensure-built.js'

await finishBuild()
