/** Concurrent writes on every combination of stores, and by two services on one data directory. */
import { describeRaces } from './concurrent-writes.js'
import { writeTargets } from './write-targets.js'

for (const { name, open } of writeTargets) describeRaces(name, open)
