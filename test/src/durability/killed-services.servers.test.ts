import { killsOf } from '@publishing-service/conformance'
import { describeKills, longThreads, seed } from './describe-kills.js'
import { serverStores } from './killable-stores.js'

// The server of the tests for MongoDB reads whole collections for lists and searches, which takes minutes: without KILLS, only
// every fourth run has a kill on it, and with KILLS, lists are compared after every tenth. Each kill makes the collections longer, until a
// write takes more than the ten seconds that a store has.
const isOnMongodb = killsOf(0) > 0 || seed % 4 === 0

if (killsOf(0) > 0 || !isOnMongodb)
  describeKills('PostgreSQL and MinIO', () => serverStores('postgresql'), { 2: 1 }, { longThreads })
if (isOnMongodb)
  describeKills(
    'MongoDB and MinIO',
    () => serverStores('mongodb'),
    { 2: 1 },
    { longThreads: killsOf(0) > 0 ? [210] : [], longest: 6000, listsEvery: 10, onOneStore: 20 },
  )
