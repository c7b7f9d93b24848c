import type { Json } from '../json.js'
import type { ValueType } from './value-type.js'

/**
 * A value whose type depends on the variant of the object that has it, such as a reference to one of several kinds of
 * object. While the variant is unknown it is read by `base`.
 */
export const byVariant = <A extends Json>(
  base: ValueType<A>,
  variants: Readonly<Record<string, ValueType<A>>>,
): ValueType<A> => ({
  ...base,
  targets: Object.values(variants).flatMap(({ targets = [] }) => targets),
  variants,
})
