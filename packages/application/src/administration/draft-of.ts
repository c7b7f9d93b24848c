import { badParameters, type WriteMode } from '@publishing-service/domain'
import type { AttributeTable } from '@publishing-service/domain/declare'
import { acceptedState, draftAttributes } from '@publishing-service/domain/engine'
import type { JsonObject } from '@publishing-service/domain/json'
import { fail } from '../attempt.js'

/** The decoded body of a request, or its faults. `variant` is the attribute that says which variant it is. */
export const draftOf = <T extends AttributeTable>(
  { strict }: { readonly strict: boolean },
  attributes: T,
  mode: WriteMode,
  input: JsonObject,
  previous: JsonObject | null,
  variant?: keyof T & string,
) => {
  const shape = variant === undefined ? { attributes } : { attributes, variant }
  const context = { zone: 'UTC', streamingHosts: [], strict }
  const { state, faults } = draftAttributes(shape, { mode, input, previous, context })
  if (faults.length > 0) fail(badParameters(faults))
  return acceptedState(attributes, state)
}
