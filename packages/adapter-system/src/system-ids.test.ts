import { idsConformance } from '@publishing-service/conformance'
import { systemIds } from './this-machine.js'

idsConformance({ name: 'system', open: () => systemIds })
