import { describeKills } from './describe-kills.js'
import { serverStores } from './killable-stores.js'

describeKills('PostgreSQL and MinIO', () => serverStores('postgresql'), { 2: 1 })
describeKills('MongoDB and MinIO', () => serverStores('mongodb'), { 2: 1 })
