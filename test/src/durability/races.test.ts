/** Concurrent writes on every combination of stores, and by two services on one data directory. */
import { declareRaces } from './declare-races.js'
import { places } from './writing-places.js'

for (const { name, open } of places) declareRaces(name, open)
