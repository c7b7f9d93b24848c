import { E, t } from '@publishing-service/domain/fp'
import { jsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { AttributeTable, StateOf, WholeOf } from '@publishing-service/domain/declare'
import { acceptedState, partOf, storedTest } from '@publishing-service/domain/engine'
import { systemInstance } from './collections.js'
import { UnreadableDocument } from './instance-store.js'

/** The codec of the values of a collection, whose name it has. */
export type StoredCodec<A> = t.Type<A, unknown>

/** What documents of a table store; documents of earlier versions lack some of it. */
type Stored<T extends AttributeTable> = {
  readonly [K in keyof StateOf<T>]?: NonNullable<StateOf<T>[K]>
}

/**
 * The codec of the documents of a collection, by the table of its attributes. Words of a later or earlier version are no
 * damage.
 */
export const storedCodec = <T extends AttributeTable>(
  collection: string,
  table: T,
): StoredCodec<Stored<T>> => {
  const test = storedTest(table, 'types')
  const isStored = (value: unknown): value is Stored<T> => jsonObject.is(value) && test(value)
  return new t.Type(
    collection,
    isStored,
    (value, context) => (isStored(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
}

/** The same for documents that have what their table requires. What else is missing has its default, or is null. */
export const wholeCodec = <T extends AttributeTable>(
  collection: string,
  table: T,
): StoredCodec<WholeOf<T>> => {
  const codec = storedCodec(collection, table)
  const required = Object.entries(table).flatMap(([name, attribute]) =>
    attribute.kind === 'stored' && attribute.required === true ? [name] : [],
  )
  const isWhole = (value: unknown): value is WholeOf<T> =>
    jsonObject.is(value) && codec.is(value) && required.every((name) => (value[name] ?? null) !== null)
  return new t.Type(
    collection,
    isWhole,
    (value, context) =>
      isWhole(value) ? t.success(acceptedState(table, partOf(table, value))) : t.failure(value, context),
    t.identity,
  )
}

/**
 * The typed value of a document of the service itself. The codec has the name of the collection. Throws an
 * UnreadableDocument if the document has another shape: like a damaged document, that is a defect.
 */
export const decodeStored = <A>(
  codec: StoredCodec<A>,
  { id, value }: { readonly id: string; readonly value: JsonObject },
  instance = systemInstance,
): A => {
  const decoded = codec.decode(value)
  if (E.isLeft(decoded)) throw new UnreadableDocument(codec.name, instance, id)
  return decoded.right
}
