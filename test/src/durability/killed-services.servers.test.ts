import { describeKills } from './describe-kills.js'
import { serverStores } from './killable-stores.js'

describeKills('PostgreSQL and MinIO', serverStores, { 2: 1 })
