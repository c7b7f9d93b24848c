import type { Json } from '@publishing-service/domain/json'

/** The words of an ASCII text without markup, which a test need not fold; none of any other value. */
export const asciiWords = (value: Json | undefined): readonly string[] =>
  typeof value === 'string' && /^[ -;=-~]*$/.test(value)
    ? (value.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    : []
