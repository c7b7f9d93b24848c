import type { Json, JsonObject } from '@publishing-service/domain'
import taken from './examples.json' with { type: 'json' }

/** Examples of one operation, taken from a service with the sample publication (`npm run docs`). */
export type Examples = {
  /** Of the path and of the query, as they stand in addresses. */
  readonly parameters?: Readonly<Record<string, string | number>>
  /** Bodies that were sent, by the name of the example. */
  readonly requests?: Readonly<Record<string, Json>>
  /** Bodies that were answered, by the name of the example. */
  readonly answers?: Readonly<Record<string, Json>>
}

/** The address that links in examples start with. */
export const exampleBase = 'https://api.example.org'

const table: Readonly<Record<string, Examples>> = taken

export const examplesOf = (operation: string): Examples => table[operation] ?? {}

/** Examples as a body has them; nothing where there are none. */
export const withExamples = (values: Readonly<Record<string, Json>> | undefined): JsonObject =>
  values === undefined
    ? {}
    : { examples: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])) }
