import {
  E,
  t,
  tableEntries,
  type AttributeTable,
  type JsonObject,
  type Schema,
  type StateOf,
} from '@publishing-service/domain'
import { systemInstance } from './collections.js'
import { UnreadableDocument } from './instance-store.js'

/** What documents of a table store; documents of earlier versions lack some of it. */
type Stored<T extends AttributeTable> = {
  readonly [K in keyof StateOf<T>]?: NonNullable<StateOf<T>[K]>
}

const jsonTypeOf = ({ type, items = {}, properties = {} }: Schema): t.Mixed => {
  switch (type) {
    case 'array':
      return t.readonlyArray(jsonTypeOf(items))
    case 'object':
      return t.type(
        Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, jsonTypeOf(each)])),
      )
    case 'boolean':
      return t.boolean
    case 'integer':
    case 'number':
      return t.number
    default:
      return t.string
  }
}

/**
 * The codec of the documents of a collection, by the table of its attributes. It checks the types of JSON only: limits
 * and words of a later or earlier version are no damage.
 */
export const storedCodec = <T extends AttributeTable>(
  collection: string,
  table: T,
): t.Type<Stored<T>, unknown> => {
  const { is } = t.partial(
    Object.fromEntries(tableEntries(table).stored.map(([name, { type }]) => [name, jsonTypeOf(type.schema)])),
  )
  const isStored = (value: unknown): value is Stored<T> => is(value)
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
