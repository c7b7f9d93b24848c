import type { Json, JsonObject } from '@publishing-service/domain'

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** A text that is not empty, or null. */
export const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null
