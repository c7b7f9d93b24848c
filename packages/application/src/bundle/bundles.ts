/** Bundles: one instance as a file, and back (docs/bundle.md). */
import type { TaskEither } from '@publishing-service/domain/fp'
import type { InstanceRow } from '../administration/administer-instances.js'
import type { DeleteInstance } from '../administration/delete-instance.js'
import type { UpdateDocument } from '../engine/update-document.js'
import type { Ports } from '../ports.js'
import type { Recorded } from '../recording.js'
import { asTask, type CopyFailure } from '../storage-copy/copy-failure.js'
import type { CopyTools } from '../storage-copy/copy-run.js'
import { objectsOfBundle, type BundledObjects } from './bundle-source.js'
import { checkBundle } from './check-bundle.js'
import type { NewBundle, StoredBundle } from './bundle-files.js'
import { exportInstance, type BundleRequest, type ExportedBundle } from './export-instance.js'
import { importInstance, type BundleOptions, type ImportedInstance } from './import-instance.js'

type Progress = Pick<CopyTools, 'onProgress'>

/** Both can be run again after any failure. */
export type Bundles = {
  /** Throws NotFound if there is no such instance. */
  readonly exportInstance: (
    request: Omit<BundleRequest, 'time'>,
    to: NewBundle,
    progress: Progress,
  ) => TaskEither<CopyFailure, ExportedBundle>
  /** Makes a new instance. Throws BadParameters for settings that are not accepted. */
  readonly importInstance: (
    from: StoredBundle,
    options: BundleOptions,
    recorded: Recorded<InstanceRow>,
    progress: Progress,
  ) => TaskEither<CopyFailure, ImportedInstance>
  /** The objects of a bundle for `runImport`. */
  readonly readObjects: (
    from: StoredBundle,
    request: ObjectsRequest,
    progress: Progress,
  ) => TaskEither<CopyFailure, BundledObjects>
}

/** How objects of a bundle come into an instance that exists. */
export type ObjectsRequest = {
  readonly instance: number
  readonly newIds: boolean
  /** Those that are wanted, as `collection/uuid`; null for all. */
  readonly only: ReadonlySet<string> | null
}

export const createBundles = (
  ports: Pick<Ports, 'documents' | 'blobs' | 'clock' | 'checksum'>,
  update: UpdateDocument,
  deletions: Pick<DeleteInstance, 'discard'>,
): Bundles => {
  const { clock, checksum } = ports
  return {
    exportInstance: (request, to, { onProgress }) =>
      asTask(() => {
        const time = new Date(clock.now()).toISOString()
        return exportInstance(ports, { ...request, time }, to, { checksum, onProgress })
      }),
    importInstance: (from, options, recorded, { onProgress }) =>
      asTask(() =>
        importInstance({ ...ports, update, deletions }, from, options, recorded, { checksum, onProgress }),
      ),
    readObjects: (from, { instance, newIds, only }, { onProgress }) =>
      asTask(async () => {
        const bundle = await checkBundle(from, { checksum, onProgress })
        const renamed: ReadonlySet<string> = newIds ? bundle.ids : new Set()
        return objectsOfBundle(bundle, { instance, renamed, checksum, userOf: () => null }, only)
      }),
  }
}
