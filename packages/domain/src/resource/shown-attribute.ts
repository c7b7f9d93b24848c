/** Attributes that clients read and do not write. */
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { utcTime } from '../time/naive-date-time.js'
import type { Schema } from '../value/schema.js'
import { plain, refused, type ValueType } from '../value/value-type.js'
import { derived } from './attribute.js'

export const momentSchema = { type: 'string', format: 'date-time' } as const
export const flagSchema = { type: 'boolean' } as const
export const textSchema = { type: 'string' } as const
export const uriSchema = { type: 'string', format: 'uri' } as const
export const uuidSchema = { type: 'string', format: 'uuid' } as const
export const nullable = { nullable: true } as const

/** A text that only the service sets. */
export const serviceText: ValueType<string> = plain('text', textSchema, (value) =>
  typeof value === 'string' ? E.right(value) : refused('type', 'must be a text'),
)

/** A number that only the service sets. */
export const serviceNumber: ValueType<number> = plain('number', { type: 'integer', minimum: 0 }, (value) =>
  typeof value === 'number' ? E.right(value) : refused('type', 'must be a number'),
)

/** A time that only the service sets: stored in milliseconds since 1970, and read in UTC. */
export const serviceTime: ValueType<number> = {
  ...serviceNumber,
  outputSchema: momentSchema,
  resolve: (value) => (typeof value === 'number' ? utcTime(value) : null),
}

/** Attributes that clients read and only the service sets. */
export const readOnly = { readOnly: true } as const
export const requiredReadOnly = { readOnly: true, required: true } as const

/** Attributes that only the service reads. */
export const internal = { internal: true } as const
export const requiredInternal = { internal: true, required: true } as const

type Options = { readonly nullable?: true; readonly sparse?: true }

export const shown = <N extends string>(
  name: N,
  schema: Schema,
  description: string,
  options: Options = {},
) => derived(schema, description, (state: JsonObject) => state[name] ?? null, options)

/** A time that is stored in milliseconds; null in states for which it is not shown. */
export const shownTime = (
  name: string,
  description: string,
  options: Options = {},
  isShown: (state: JsonObject) => boolean = () => true,
) =>
  derived(
    momentSchema,
    description,
    (state: JsonObject) => {
      const value = state[name]
      return typeof value === 'number' && isShown(state) ? utcTime(value) : null
    },
    options,
  )

/** The UUID, number or key of the document. */
export const shownId = (schema: Schema, description: string) =>
  derived(schema, description, (_state, view) => view.id)
