import * as t from 'io-ts'
import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import type { Json } from '../json.js'
import type { Schema } from './schema.js'
import type { StreamingHost } from './streaming-host.js'

/** What reading a value can depend on: the instance's time zone and the deployment's streaming hosts. */
export type ValueContext = {
  readonly zone: string
  readonly streamingHosts: readonly StreamingHost[]
  /**
   * Whether unknown attributes and other forms of numbers and booleans are faults
   * (docs/behaviour/writing.md#strict-handling, docs/behaviour/writing.md#other-forms).
   */
  readonly strict: boolean
}

/** Names an object that a value points at. `media` narrows a file to those of one MIME type group, with data. */
export type Reference = {
  readonly path: string
  readonly collection: string
  readonly id: string
  readonly media?: 'image' | 'audio'
  /** Names the object by a key that only it has the value of; `id` is then only what it is looked up as. */
  readonly by?: { readonly key: string; readonly value: string }
}

/** The schemas of a value as it is sent and as it is read, made from those of its parts. */
export const schemasOf = (
  make: (schemaOf: (part: ValueType) => Schema) => Schema,
): Pick<ValueType, 'schema' | 'taken' | 'shown'> => ({
  schema: make(({ schema }) => schema),
  taken: make(({ schema, taken = schema }) => taken),
  shown: make(({ schema, shown = schema }) => shown),
})

export type IsAlive = (reference: Reference) => boolean

/**
 * How one kind of value is read, described, followed and shown. Methods rather than function properties, so that
 * a table can hold types of different values.
 */
export interface ValueType<A extends Json = Json> {
  readonly schema: Schema
  /** What may be sent, where that is more than the schema says. */
  readonly taken?: Schema
  /** How it is read, where that is less than the schema says. */
  readonly shown?: Schema
  /** Its type in each variant of what has it, where they differ. */
  readonly variants?: Readonly<Record<string, ValueType<A>>>
  /** The kind of key it makes for queries. */
  readonly key?: 'text' | 'number' | 'boolean' | 'texts'
  /** The collections that references within it can name. */
  readonly targets?: readonly string[]
  decode(value: unknown, context: ValueContext): Either<readonly Fault[], A>
  /** The references within a value, with their paths. The value may have faults: what is no reference gives none. */
  references?(value: Json): readonly Reference[]
  /** The stored value as it reads when some references are dead: null in their place, or the item left out. */
  resolve?(value: A, isAlive: IsAlive): Json
}

/** A codec that says what is wrong itself: its failures carry the message for the client. */
export const codecOf = <A>(
  name: string,
  read: (input: unknown) => Either<string, A>,
): t.Type<A, A, unknown> =>
  new t.Type<A, A, unknown>(
    name,
    (input): input is A => E.isRight(read(input)),
    (input, context) => {
      const result = read(input)
      return E.isRight(result) ? t.success(result.right) : t.failure(input, context, result.left)
    },
    t.identity,
  )

/** io-ts errors as faults; union indexes and type names of its contexts never show. */
export const faultsOf = (errors: t.Errors): readonly Fault[] =>
  errors.map((error) =>
    fault(
      error.context
        .map((entry) => entry.key)
        .filter((key) => key !== '')
        .join('.'),
      error.message ?? 'not valid',
    ),
  )

/** A plain value read by an io-ts codec that needs no context. */
export const plain = <A extends Json>(
  key: 'text' | 'number' | 'boolean',
  schema: Schema,
  codec: t.Type<A, A, unknown>,
): ValueType<A> => ({
  schema,
  key,
  decode: (value) => {
    const result = codec.decode(value)
    return E.isRight(result) ? result : E.left(faultsOf(result.left))
  },
})
