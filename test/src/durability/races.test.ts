/** Races on every combination of stores, and between two services on one data folder. */
import { declareRaces } from './declare-races.js'
import { places } from './writing-places.js'

for (const { name, open } of places) declareRaces(name, open)
