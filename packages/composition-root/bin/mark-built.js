// Ends `npm run build`, so that the next start needn't ask the compiler.
import { markBuilt } from './ensure-built.js'

markBuilt()
