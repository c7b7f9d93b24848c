import { E, resources, withComputed, type Resource } from '@publishing-service/domain'
import { unreadable, type Document, type DocumentStore } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-documents.js'
import { orThrow } from '../or-throw.js'
import type { Ports } from '../ports.js'
import { forEachPage } from './for-each-page.js'
import { targetOf } from './update-document.js'

const batchSize = 200
const { instances: instanceCollection } = systemCollections

const computedNames = ({ attributes }: Resource): readonly string[] =>
  Object.keys(attributes).filter((name) => attributes[name]?.kind === 'computed')

/** All computed attributes: it changes if a release adds one. */
const computedAttributes = resources
  .flatMap((resource) => computedNames(resource).map((name) => `${resource.collection}.${name}`))
  .join(' ')

const lacks = ({ value }: Document, names: readonly string[]): boolean =>
  value !== unreadable && names.some((name) => value[name] === undefined)

/**
 * Adds computed attributes to documents that an earlier release stored without them, so that filters and orders find
 * them. Returns the number of documents that were written. Reads each instance once, then records in it that its
 * documents are complete; an interrupted run starts again. Throws a PortFailure if the store fails. `lenient` is a store
 * that returns damaged documents, which are skipped.
 */
export const createCompleteComputed = (
  { documents }: Pick<Ports, 'documents'>,
  lenient: DocumentStore,
  instances: Pick<Instances, 'recordComputed'>,
) => {
  const complete = async (resource: Resource, number: number, id: string): Promise<boolean> => {
    const { collection } = resource
    const document = await orThrow(lenient.get(collection, number, id))
    if (document === null || !lacks(document, computedNames(resource))) return false
    const value = withComputed(resource, document.value)
    const unique = targetOf(resource).unique(value)
    const written = await documents.replace(collection, number, { ...document, unique, value })()
    if (E.isLeft(written) && written.left._tag === 'PortFailure') throw written.left
    // A concurrent write has added them.
    return E.isRight(written)
  }

  const completeAll = async (resource: Resource, number: number): Promise<number> => {
    const names = computedNames(resource)
    const scan = {
      documents: documentsIn(lenient, number),
      collection: resource.collection,
      limit: batchSize,
    }
    let written = 0
    await orThrow(
      forEachPage(scan, async (page) => {
        for (const document of page)
          if (lacks(document, names) && (await complete(resource, number, document.id))) written += 1
      }),
    )
    return written
  }

  const instanceIds = async (): Promise<readonly string[]> => {
    const ids: string[] = []
    const scan = {
      documents: documentsIn(documents, systemInstance),
      collection: instanceCollection.name,
      limit: batchSize,
    }
    await orThrow(
      forEachPage(scan, (page) =>
        ids.push(
          ...page.flatMap(({ id, value }) => {
            const stored = decodeStored(StoredInstance, { id, value })
            return isLiveInstance(stored) && stored.computed !== computedAttributes ? id : []
          }),
        ),
      ),
    )
    return ids
  }

  return async (): Promise<number> => {
    let written = 0
    for (const id of await instanceIds()) {
      for (const resource of resources) written += await completeAll(resource, Number(id))
      const recorded = await instances.recordComputed(id, computedAttributes)()
      // After any other failure, the next run reads the instance again.
      if (E.isLeft(recorded) && recorded.left._tag === 'PortFailure') throw recorded.left
    }
    return written
  }
}
