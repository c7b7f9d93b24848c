import type * as t from 'io-ts'
import { E } from '../fp.js'
import type { Json } from '../json.js'
import { refused, type ValueType } from './value-type.js'

/** An object that clients never send as an attribute: separate rules write it. */
export const opaque = <A extends Json>(
  codec: t.Type<A, A, unknown>,
  links: Pick<ValueType, 'targets' | 'references'> = {},
): ValueType<A> => ({
  ...links,
  schema: { type: 'object' },
  isStored: codec.is,
  decode: (value) => (codec.is(value) ? E.right(value) : refused('type', 'must be an object')),
})
