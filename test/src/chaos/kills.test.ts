import { embeddedStores } from './chaos-stores.js'
import { describeScenario } from './describe-scenario.js'

describeScenario('kills', embeddedStores, 2)
