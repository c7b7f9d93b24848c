import { fault, within } from '../fault.js'
import { E } from '../fp.js'
import { decimal } from '../value/scalar.js'
import { schemasOf, type ValueType } from '../value/value-type.js'

const bounds = [decimal({ min: -90, max: 90 }), decimal({ min: -180, max: 180 })] as const

/** Latitude and longitude in degrees. */
export const coordinates: ValueType<readonly number[]> = {
  ...schemasOf((schemaOf) => ({
    type: 'array',
    format: 'coordinates',
    prefixItems: bounds.map(schemaOf),
    minItems: 2,
    maxItems: 2,
  })),
  decode: (value, context) => {
    if (!Array.isArray(value) || value.length !== 2)
      return E.left([fault('', 'type', 'must be a list of two numbers, latitude and longitude')])
    const read = bounds.map((each, index) => each.decode(value[index], context))
    const faults = read.flatMap((each, index) => (E.isLeft(each) ? within(index, each.left) : []))
    return faults.length > 0
      ? E.left(faults)
      : E.right(read.flatMap((each) => (E.isRight(each) ? [each.right] : [])))
  },
}
