/** The lines of a bundle: which documents it has, and what is wrong with one that no instance has. */
import { resourceOf } from '@publishing-service/domain'
import { settingsSubject } from '@publishing-service/domain/changes'
import { parseUuid } from '@publishing-service/domain/declare'
import type { Filter } from '@publishing-service/domain/filters'
import type { Document } from '@publishing-service/ports'
import { StoredRecord } from '../audit/change-records.js'
import { bundledCollections, systemCollections, systemInstance } from '../collections.js'
import { StoredDraft } from '../drafts/stored-drafts.js'
import { Cascade } from '../engine/cascade.js'
import { isReadable } from '../instance-store.js'
import { BundleHeader, type DocumentLine, type ExportForm } from '../storage-copy/export-format.js'
import { nameOf, partitionOf, type Partition } from '../storage-copy/partitions.js'
import { numberInBundle, uploadsIn } from './bundle-lines.js'

const { audit, cascades, drafts } = systemCollections

/** A partition of a store that has documents of an instance, and which of them are the instance's. */
export type InstancePart = {
  readonly partition: Partition
  readonly where: readonly Filter[]
  readonly isIn: (document: Document) => boolean
}

/** The collections with records of an instance that its bundle has. */
const recorded: ReadonlySet<string> = new Set([settingsSubject.collection])

/** Whether the record is one of a change that a bundle has: of an object, or of the settings. */
const isBundledRecord = (collection: unknown): boolean =>
  typeof collection === 'string' && (resourceOf(collection) !== undefined || recorded.has(collection))

/** What a bundle of an instance has. */
export const partsOf = (instance: number, history: boolean): readonly InstancePart[] =>
  bundledCollections(history).map((collection) =>
    collection === audit.name
      ? {
          partition: partitionOf(systemInstance, collection),
          where: [{ key: 'instance', equals: instance }],
          isIn: ({ value }) => isBundledRecord(value['collection']),
        }
      : { partition: partitionOf(instance, collection), where: [], isIn: () => true },
  )

/** The length of ids that every store accepts. */
const longestId = 200

const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 1

const upload = /^1\/([0-9a-f-]{36})\/[A-Za-z0-9_-][A-Za-z0-9_.-]*$/

/** Whether an upload is one of the instance, and of the file that names it, if that is known. */
const isOwnUpload = (path: string, file: string | null): boolean => {
  const [, of] = upload.exec(path) ?? []
  return of !== undefined && (file === null || file === of)
}

/** What is wrong with a value of the service itself; null if nothing is. */
const isOwnValue = ({ collection, value }: DocumentLine): boolean => {
  switch (collection) {
    case audit.name:
      return (
        StoredRecord.is(value) && value['instance'] === numberInBundle && isBundledRecord(value['collection'])
      )
    case drafts.name:
      return StoredDraft.is(value)
    case cascades.name:
      return Cascade.is(value)
    default:
      return true
  }
}

const problemIn = (line: DocumentLine): string | null => {
  const { collection, id, position, version, value } = line
  if (!isCount(position) || !isCount(version)) return 'has no position and no version above 0'
  const resource = resourceOf(collection)
  if (id === '' || id.length > longestId) return `has no id of 1 to ${longestId} characters`
  if (resource !== undefined && parseUuid(id) !== id) return 'has an id that is no UUID in lower case'
  if (!isReadable(collection, line) || !isOwnValue(line))
    return `has a value that is none of ${collection} in this release`
  const file = resource === undefined ? null : id
  return uploadsIn({ collection, value }).every((path) => isOwnUpload(path, file))
    ? null
    : 'names file data of another file or instance'
}

export const bundleForm: ExportForm<BundleHeader> = {
  what: 'a bundle',
  versionedBy: 'bundle',
  header: BundleHeader,
  partitions: ({ history }) => partsOf(numberInBundle, history).map(({ partition }) => nameOf(partition)),
  problemIn,
}

/** The data of a file in a bundle. */
export const isBundledBlob = (key: string): boolean =>
  key.endsWith('/original') && isOwnUpload(key.slice(0, key.lastIndexOf('/')), null)
