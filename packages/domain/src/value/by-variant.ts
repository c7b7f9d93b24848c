import type { Json } from '../json.js'
import type { ValueType } from './value-type.js'

/**
 * A value whose type depends on the variant of its object, such as a reference to one of several kinds of object. If
 * the variant is unknown, it is decoded by `base`.
 */
export const byVariant = <A extends Json>(
  base: ValueType<A>,
  variants: Readonly<Record<string, ValueType<A>>>,
): ValueType<A> => ({
  ...base,
  targets: Object.values(variants).flatMap(({ targets = [] }) => targets),
  variants,
})
