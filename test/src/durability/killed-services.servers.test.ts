import { describeKills } from './describe-kills.js'
import { serverStores } from './killable-stores.js'

describeKills('MongoDB and MinIO', serverStores, { 1: 1, 2: 1 })
