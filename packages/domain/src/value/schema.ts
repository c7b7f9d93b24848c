import type { Format } from './formats.js'

/** The part of JSON Schema 2020-12 that value types describe themselves with: for people, documents and tests. */
export type Schema = {
  /** Absent where `anyOf` says it. */
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
  /** Items whose places mean different things. */
  readonly prefixItems?: readonly Schema[]
  readonly maxItems?: number
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  /** Sent, and never read. */
  readonly writeOnly?: true
}
