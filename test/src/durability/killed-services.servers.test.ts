import { describeKills } from './describe-kills.js'
import { serverStores } from './killable-stores.js'

describeKills('MongoDB and MinIO', serverStores, { 2: 1 })
