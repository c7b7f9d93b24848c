/** Attributes that are read from a state by their names, in shapes that clients do not write. */
import type { JsonObject } from '../json.js'
import { utcTime } from '../time/naive-date-time.js'
import type { Schema } from '../value/schema.js'
import { derived } from './attribute.js'

export const momentSchema = { type: 'string', format: 'date-time' } as const
export const flagSchema = { type: 'boolean' } as const
export const textSchema = { type: 'string' } as const
export const uriSchema = { type: 'string', format: 'uri' } as const
export const uuidSchema = { type: 'string', format: 'uuid' } as const
export const nullable = { nullable: true } as const

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
