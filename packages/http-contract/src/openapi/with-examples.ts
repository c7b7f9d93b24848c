import type { JsonObject } from '@publishing-service/domain/json'
import type { Examples } from './examples/examples.js'

/** The `examples` of a body; nothing if there are none. */
export const withExamples = (values: Examples): JsonObject =>
  Object.keys(values).length === 0
    ? {}
    : { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) }
