import { clockConformance } from '@publishing-service/conformance'
import { systemClock } from './this-machine.js'

clockConformance({ name: 'system', open: () => systemClock })
