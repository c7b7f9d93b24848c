/**
 * What follows from a write in so many other objects that they do not fit into it: the removal of what refers to a removed
 * object, its return, and what followers take over. The write inserts a document about it. Who has made the write carries
 * it out and removes the document, and housekeeping does after a crash.
 */
import type { Resource } from '@publishing-service/domain'
import { t } from '@publishing-service/domain/fp'
import { isPortFailure, type Change } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { name: collection } = systemCollections.cascades

/**
 * The object that was written, the millisecond of the write, and the id of the record of the removal that it has undone.
 * Earlier releases stored it elsewhere, with the instance.
 */
export const Cascade = t.readonly(
  t.intersection([
    t.type({ collection: t.string, id: t.string, at: t.number }),
    t.partial({ instance: t.number, removal: t.string }),
  ]),
  collection,
)

/** The objects that one write removes or restores together with another, at most. */
export const mostTogether = 200

/** Inserts the document of a cascade with the write of an object. */
export const cascadeOf = (
  { clock, ids }: Pick<Ports, 'clock' | 'ids'>,
  resource: Resource,
  id: string,
  removal?: string,
): Extract<Change, { readonly kind: 'insert' }> => ({
  collection,
  kind: 'insert',
  document: {
    id: ids.uuid(),
    unique: null,
    position: clock.position(),
    value: {
      collection: resource.collection,
      id,
      at: clock.now(),
      ...(removal === undefined ? {} : { removal }),
    },
  },
})

/** Carries out a cascade, and removes its document. What fails is finished by housekeeping: the write was made. */
export const carryOut = async (
  { documents, log }: { readonly documents: Pick<InstanceDocuments, 'remove'> } & Pick<Ports, 'log'>,
  cascade: ReturnType<typeof cascadeOf>,
  steps: () => Promise<unknown>,
): Promise<void> => {
  const { id, value } = cascade.document
  try {
    await steps()
    // Housekeeping may have removed it first.
    await documents.remove(collection, id, 1)
  } catch (error) {
    const reason = isPortFailure(error) ? error.reason : String(error)
    log.write('warn', 'consequences of a write not finished yet', { ...value, reason })
  }
}
