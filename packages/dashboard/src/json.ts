import type { Json, JsonObject } from '@publishing-service/domain/json'

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values have the same JSON. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The objects of a response, or a draft, that has them in `items`. */
export const itemsIn = ({ items }: JsonObject): readonly JsonObject[] => listOf(items).filter(isJsonObject)

/** A text that is not empty, or null. */
export const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
