import { resources, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { jsonEqual } from '@publishing-service/domain/json'
import { computedValue, tableEntries } from '@publishing-service/domain/engine'
import { unreadable, type Document } from '@publishing-service/ports'
import type { Instances } from '../access/instances.js'
import { isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { documentsIn } from '../instance-store.js'
import { attempt, fail, orThrow } from '../attempt.js'
import type { Documents, Ports } from '../ports.js'
import { followed } from '../engine/follow-changes.js'
import { forEachPage } from '../engine/for-each-page.js'
import { replaceValue } from '../engine/update-document.js'

const batchSize = 200
const { instances: instanceCollection } = systemCollections

/** All computed attributes with their revisions: it changes if a release adds one or computes it differently. */
const computedAttributes = resources
  .flatMap(({ collection, attributes }) =>
    tableEntries(attributes).computed.map(
      ([name, { revision }]) => `${collection}.${name}${revision === undefined ? '' : `@${revision}`}`,
    ),
  )
  .join(' ')

/** Whether documents of an instance may lack a computed attribute, or have it from an earlier release. */
export const lacksComputed = ({ computed }: StoredInstance): boolean => computed !== computedAttributes

/** Whether a document lacks a computed attribute, or has an earlier value of one that is computed differently now. */
const isOutdated = ({ attributes }: Resource, { value }: Document): boolean =>
  value !== unreadable &&
  tableEntries(attributes).computed.some(
    ([name, attribute]) =>
      value[name] === undefined ||
      (attribute.revision !== undefined && !jsonEqual(value[name], computedValue(attribute, value))),
  )

/**
 * Computes the attributes of documents that an earlier release stored without them, or with other values, so that
 * filters and orders find them. Returns the number of documents that were written. Reads each instance once, then records in it that its
 * documents are complete; an interrupted run starts again. Throws a PortFailure if the store fails. `lenient` is a store
 * that returns damaged documents, which are skipped.
 */
export const createCompleteComputed = (
  { documents }: Pick<Ports, 'documents'>,
  lenient: Documents,
  instances: Pick<Instances, 'recordComputed'>,
) => {
  const complete = async (resource: Resource, number: number, id: string): Promise<boolean> => {
    const { collection } = resource
    const document = await orThrow(lenient.get(collection, number, id))
    if (document === null || !isOutdated(resource, document)) return false
    const inInstance = documentsIn(documents, number)
    const [value = document.value] = await followed(inInstance, resource, [document.value])
    // After a conflict: a concurrent write has added them.
    return E.isRight(await replaceValue(inInstance, resource, document, value))
  }

  const completeAll = async (resource: Resource, number: number): Promise<number> => {
    const scan = {
      documents: documentsIn(lenient, number),
      collection: resource.collection,
      limit: batchSize,
    }
    let written = 0
    await forEachPage(scan, async (page) => {
      for (const document of page)
        if (isOutdated(resource, document) && (await complete(resource, number, document.id))) written += 1
    })
    return written
  }

  const instanceIds = async (): Promise<readonly string[]> => {
    const ids: string[] = []
    const scan = {
      documents: documentsIn(documents, systemInstance),
      collection: instanceCollection.name,
      limit: batchSize,
    }
    await forEachPage(scan, (page) =>
      ids.push(
        ...page.flatMap(({ id, value }) => {
          const stored = decodeStored(StoredInstance, { id, value })
          return isLiveInstance(stored) && lacksComputed(stored) ? id : []
        }),
      ),
    )
    return ids
  }

  return async (): Promise<number> => {
    let written = 0
    for (const id of await instanceIds()) {
      for (const resource of resources) written += await completeAll(resource, Number(id))
      const recorded = await attempt(() => instances.recordComputed(id, computedAttributes))
      // After any other failure, the next run reads the instance again.
      if (E.isLeft(recorded) && recorded.left._tag === 'PortFailure') fail(recorded.left)
    }
    return written
  }
}
