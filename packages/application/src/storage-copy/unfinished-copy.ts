/**
 * Stores that are being filled: their identity names what is copied into them. It is written first, and replaced last by the
 * identity of the source, so that half a copy is never taken for a publication that has lost something.
 */
import type { JsonObject } from '@publishing-service/domain/json'
import type { BlobStore } from '@publishing-service/ports'
import { orThrow } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { identityId, sourceOfCopy, StoredIdentity } from '../store-identity.js'
import type { Content, Stores } from './content.js'
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
  const marked: JsonObject = { id: '', ...value, copyOf: name }
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
