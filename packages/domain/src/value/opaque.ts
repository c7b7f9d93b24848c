import { fault } from '../fault.js'
import { E } from '../fp.js'
import { isJsonObject, type Json } from '../json.js'
import type { ValueType } from './value-type.js'

/** An object that never comes off the wire as an attribute: rules of its own write it. */
export const opaque = <A extends Json>(): ValueType<A> => ({
  schema: { type: 'object' },
  // Only the service's own rules make it, and they make an A.
  decode: (value) =>
    isJsonObject(value) ? E.right(value as unknown as A) : E.left([fault('', 'must be an object')]),
})
