import { E, t } from '@publishing-service/domain/fp'
import { jsonObject, type JsonObject } from '@publishing-service/domain/json'
import type { AttributeTable, StateOf } from '@publishing-service/domain/declare'
import { storedTest } from '@publishing-service/domain/engine'
import { systemInstance } from './collections.js'
import { UnreadableDocument } from './instance-store.js'

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
): t.Type<Stored<T>, unknown> => {
  const test = storedTest(table, 'types')
  const isStored = (value: unknown): value is Stored<T> => jsonObject.is(value) && test(value)
  return new t.Type(
    collection,
    isStored,
    (value, context) => (isStored(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
}

/**
 * The typed value of a document of the service itself. The codec has the name of the collection. Throws an
 * UnreadableDocument if the document has another shape: like a damaged document, that is a defect.
 */
export const decodeStored = <A>(
  codec: t.Type<A, unknown>,
  { id, value }: { readonly id: string; readonly value: JsonObject },
  instance = systemInstance,
): A => {
  const decoded = codec.decode(value)
  if (E.isLeft(decoded)) throw new UnreadableDocument(codec.name, instance, id)
  return decoded.right
}
