import { E, type JsonObject, type t } from '@publishing-service/domain'
import { systemInstance } from './collections.js'
import { UnreadableDocument } from './unreadable-documents.js'

/**
 * The value of one of the service's own documents, typed. The codec has the name of the collection. A document of
 * another shape is a defect, as a damaged one is: it throws an UnreadableDocument.
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
