import type { Format } from './formats.js'

/** The subset of JSON Schema 2020-12 that describes value types: for the documents and the tests. */
export type Schema = {
  /** Absent if there is `anyOf`. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly format?: Format
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  /** Schemas of the items by position. */
  readonly prefixItems?: readonly Schema[]
  readonly maxItems?: number
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  /** Sent, never returned. */
  readonly writeOnly?: true
}
