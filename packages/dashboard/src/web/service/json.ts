import type { Json, JsonObject } from '@publishing-service/domain'

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
