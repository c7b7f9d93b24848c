/**
 * Copies all documents and blobs: between stores, from stores to an export, and from an export to stores. Both sides are
 * compared at the end, which detects writes of other processes in the meantime.
 */
import type { TaskEither } from '@publishing-service/domain/fp'
import {
  contentOfExport,
  contentOfStores,
  type SourceStores,
  type StoredExport,
  type Stores,
} from './content.js'
import { asTask, type CopyFailure } from './copy-failure.js'
import type { CopyResult, CopyTools } from './copy-run.js'
import { checkExport, writeExport, type NewExport } from './exports.js'
import { fillStores } from './fill-stores.js'

/** Fills stores with all that others have. A repeated copy goes on where the last one stopped. */
export const copyStorage = (
  from: SourceStores,
  to: Stores,
  /** Whether both have the same blob store, so that only documents are copied. */
  { sharesBlobs, ...tools }: CopyTools & { readonly sharesBlobs: boolean },
): TaskEither<CopyFailure, CopyResult> =>
  asTask(async () => {
    const content = await contentOfStores(from)
    return fillStores(sharesBlobs ? { ...content, blobs: null } : content, to, {
      whereDifferent: 'remove',
      ...tools,
    })
  })

/** Writes all that stores have as an export. */
export const exportStorage = (
  from: SourceStores,
  to: NewExport,
  tools: CopyTools,
): TaskEither<CopyFailure, CopyResult> => asTask(() => writeExport(from, to, tools))

/** Fills stores with an export. A repeated import goes on at the line where the stores end. */
export const importStorage = (
  from: StoredExport,
  to: Stores,
  tools: CopyTools,
): TaskEither<CopyFailure, CopyResult> =>
  asTask(async () => {
    const content = await contentOfExport(from, tools.checksum)
    await checkExport(content, tools)
    return fillStores(content, to, { whereDifferent: 'reject', ...tools })
  })
