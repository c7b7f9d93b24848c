/**
 * Stores that are being filled: their identity names what is copied into them. It is written first, and replaced last by the
 * identity of the source, so that half a copy is never taken for a publication that has lost something.
 */
import type { JsonObject } from '@publishing-service/domain/json'
import type { BlobStore, Change, DocumentStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { identityId, sourceOfCopy, StoredIdentity } from '../store-identity.js'
import type { Content, Stores, WholeContent } from './content.js'
import { rejectConflict, throwRejection } from './copy-failure.js'
import { hasDocuments, partitionsOf } from './partitions.js'

const { name: collection } = systemCollections.identity

const hasBlobs = async (blobs: BlobStore): Promise<boolean> => {
  for await (const _entry of blobs.list('')) return true
  return false
}

/** Marks empty stores as a copy of the content. Returns whether they are one already, which is resumed. */
export const beginCopy = async ({ name, header, blobs }: Content, to: Stores): Promise<boolean> => {
  const begun = await orThrow(sourceOfCopy(to.documents))
  if (begun !== null && begun !== name) throwRejection({ _tag: 'OtherCopy', source: begun })
  if (begun !== null) return true
  for (const partition of partitionsOf(header.instances))
    if (await hasDocuments(to.documents, partition))
      throwRejection({ _tag: 'TargetNotEmpty', part: 'documents' })
  if (blobs !== null && (await hasBlobs(to.blobs))) throwRejection({ _tag: 'TargetNotEmpty', part: 'blobs' })
  const { position = 1, value = {} } = header.identity ?? {}
  // Only stores that have everything are taken back to a moment.
  const { rewindTo: _later, ...identity } = value
  const marked: JsonObject = { id: '', ...identity, copyOf: name }
  const document = { id: identityId, position, unique: null, value: marked }
  await rejectConflict(to.documents.write(systemInstance, [{ collection, kind: 'insert', document }], []))
  return false
}

/** Gives the stores the identity of the source, once they have everything else. */
export const endCopy = async ({ header: { identity } }: Content, { documents }: Stores): Promise<void> => {
  const found = await orThrow(documents.get(collection, systemInstance, identityId))
  if (found === null || decodeStored(StoredIdentity, found).copyOf === undefined) return
  const { id, version } = found
  await rejectConflict(
    documents.write(
      systemInstance,
      [
        identity === null
          ? { collection, kind: 'remove', id, version }
          : { collection, kind: 'replace', document: { id, version, unique: null, value: identity.value } },
      ],
      [],
    ),
  )
}

/** An identity of stores that have all of the content, and whose instances are still to be taken back to a moment. */
const rewoundIdentity = (identity: JsonObject, copyOf: string, rewindTo: string): JsonObject => ({
  id: '',
  ...identity,
  copyOf,
  rewindTo,
})

/** Content that leaves the stores unfinished: their instances are taken back to a moment next. */
export const contentToRewind = (content: WholeContent, rewindTo: string): WholeContent => {
  const { header, name } = content
  const { position = 1, value = {} } = header.identity ?? {}
  const identity = { position, value: rewoundIdentity(value, name, rewindTo) }
  return { ...content, header: { ...header, identity } }
}

/** Marks documents that have all of the content in the same way. */
export const beginRewind = async (
  documents: Pick<DocumentStore, 'get' | 'write'>,
  copyOf: string,
  rewindTo: string,
): Promise<void> => {
  const found = await orThrow(documents.get(collection, systemInstance, identityId))
  const value = rewoundIdentity(found?.value ?? {}, copyOf, rewindTo)
  const document = { id: identityId, unique: null, value }
  const change: Change =
    found === null
      ? { collection, kind: 'insert', document: { ...document, position: 1 } }
      : { collection, kind: 'replace', document: { ...document, version: found.version } }
  await rejectConflict(documents.write(systemInstance, [change], []))
}

/** The moment to which the instances of filled stores are still to be taken back; null if they are not. */
export const rewindBegun = async (documents: Pick<DocumentStore, 'get'>): Promise<string | null> => {
  const found = await orThrow(documents.get(collection, systemInstance, identityId))
  return found === null ? null : (decodeStored(StoredIdentity, found).rewindTo ?? null)
}

/** Ends a restoration whose instances are taken back. */
export const endRewind = async (documents: Pick<DocumentStore, 'get' | 'write'>): Promise<void> => {
  const found = await orThrow(documents.get(collection, systemInstance, identityId))
  if (found === null) return
  const { copyOf: _copyOf, rewindTo: _rewindTo, ...value } = found.value
  const { id, version } = found
  const change: Change =
    decodeStored(StoredIdentity, found).id === ''
      ? { collection, kind: 'remove', id, version }
      : { collection, kind: 'replace', document: { id, version, unique: null, value } }
  await rejectConflict(documents.write(systemInstance, [change], []))
}
