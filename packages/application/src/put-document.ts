import type { Change, Clock, Document, NewDocument } from '@publishing-service/ports'

/** Inserts a document at the next position, or replaces the version of it that was found. */
export const putDocument = (
  collection: string,
  document: Omit<NewDocument, 'position'>,
  found: Pick<Document, 'version'> | null,
  { position }: Pick<Clock, 'position'>,
): Change =>
  found === null
    ? { collection, kind: 'insert', document: { ...document, position: position() } }
    : { collection, kind: 'replace', document: { ...document, version: found.version } }
