import { clockConformance } from '@publishing-service/conformance'
import { systemClock } from './system-clock.js'

clockConformance({ name: 'system', open: () => systemClock })
