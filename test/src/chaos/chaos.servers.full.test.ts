import { serverStores } from './chaos-stores.js'
import { describeScenario } from './describe-scenario.js'

describeScenario('kills', serverStores, 3)
describeScenario('two-processes', serverStores, 3)
