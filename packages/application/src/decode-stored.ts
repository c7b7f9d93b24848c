import { E, type JsonObject, type t } from '@publishing-service/domain'
import { systemInstance } from './collections.js'
import { UnreadableDocument } from './instance-store.js'

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
