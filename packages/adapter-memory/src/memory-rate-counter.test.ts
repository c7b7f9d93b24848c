import { rateCounterConformance } from '@publishing-service/conformance'
import { memoryRateCounter } from './memory-rate-counter.js'

rateCounterConformance({ name: 'memory', open: memoryRateCounter })
