/** Objects of a response that are composed of several states: the schema and the reader of each from one declaration. */
import type { Json } from '../json.js'
import type { Schema } from '../value/schema.js'

type Column<S> = {
  readonly schema: Schema
  readonly description: string
  readonly nullable: boolean
  readonly read: (source: S) => Json
}

/** A value that is always there. */
export const column = <S, A extends NonNullable<Json>>(
  schema: Schema,
  description: string,
  read: (source: S) => A,
) => ({ schema, description, nullable: false, read }) as const

/** A value that can be null. */
export const nullableColumn = <S, A extends Json>(
  schema: Schema,
  description: string,
  read: (source: S) => A,
) => ({ schema, description, nullable: true, read }) as const

type Columns<S> = Readonly<Record<string, Column<S>>>

/** What a composite of these columns is read as. */
type ReadOf<T> = {
  readonly [N in keyof T]: T[N] extends { readonly read: (source: never) => infer A } ? A : never
}

/** An object that is read from a source `S`. */
export type Composite<S, A> = {
  readonly name: string
  readonly schema: Schema
  readonly read: (source: S) => A
}

/** Declares an object by its columns. */
export const composite = <S, T extends Columns<S>>(
  name: string,
  description: string,
  columns: T & Columns<S>,
): Composite<S, ReadOf<T>> => {
  const entries = Object.entries<Column<S>>(columns)
  return {
    name,
    schema: {
      type: 'object',
      description,
      properties: Object.fromEntries(
        entries.map(([key, { schema, description: what }]) => [key, { ...schema, description: what }]),
      ),
      required: entries.flatMap(([key, { nullable }]) => (nullable ? [] : [key])),
    },
    read: (source) => {
      const values: Record<string, Json> = {}
      for (const [key, { read }] of entries) values[key] = read(source)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key has the value of its column
      return values as ReadOf<T>
    },
  }
}

/** A list of composites. */
export const listSchema = (
  { schema }: Pick<Composite<never, unknown>, 'schema'>,
  maxItems?: number,
): Schema => ({
  type: 'array',
  items: schema,
  ...(maxItems === undefined ? {} : { maxItems }),
})
