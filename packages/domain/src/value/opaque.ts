import type * as t from 'io-ts'
import { fault } from '../fault.js'
import { E } from '../fp.js'
import type { Json } from '../json.js'
import type { ValueType } from './value-type.js'

/** An object that no request sends as an attribute: rules of its own write it. */
export const opaque = <A extends Json>(codec: t.Type<A, A, unknown>): ValueType<A> => ({
  schema: { type: 'object' },
  decode: (value) => (codec.is(value) ? E.right(value) : E.left([fault('', 'must be an object')])),
})
