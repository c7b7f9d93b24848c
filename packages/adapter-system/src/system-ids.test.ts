import { idsConformance } from '@publishing-service/conformance'
import { systemIds } from './system-ids.js'

idsConformance({ name: 'system', open: () => systemIds })
