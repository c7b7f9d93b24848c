/** Concurrent writes on every combination of stores, and by two services on one data directory. */
import { describeRaces } from './declare-races.js'
import { writeTargets } from './writing-places.js'

for (const { name, open } of writeTargets) describeRaces(name, open)
