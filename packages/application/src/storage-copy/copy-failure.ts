import { E, type TaskEither } from '@publishing-service/domain/fp'
import type { PortFailure, VersionConflict, WriteFailure } from '@publishing-service/ports'
import type { PartitionName } from './partitions.js'

/** Why a copy was not made, or is incomplete. */
export type CopyRejection =
  /** The source has no instance. */
  | { readonly _tag: 'SourceEmpty' }
  /** The source is an unfinished copy itself. */
  | { readonly _tag: 'SourceUnfinished'; readonly source: string }
  /** The source's documents refer to file data that its blob store does not have. */
  | { readonly _tag: 'DataMissing'; readonly instance: number; readonly file: string }
  /** The target is not empty. */
  | { readonly _tag: 'TargetNotEmpty'; readonly part: 'documents' | 'blobs' }
  /** The target is an unfinished copy of something else. */
  | { readonly _tag: 'OtherCopy'; readonly source: string }
  /** The target rejects a document; `limit` in bytes if it is too large. */
  | ({
      readonly _tag: 'DocumentRejected'
      readonly id: string
      readonly limit: number | null
    } & PartitionName)
  /** The target has another document than the export. */
  | ({ readonly _tag: 'DocumentDiffers'; readonly id: string } & PartitionName)
  /** The place has backups of other stores. */
  | { readonly _tag: 'OtherBackups'; readonly source: string }
  /** The place has no such backup. */
  | { readonly _tag: 'BackupMissing'; readonly id: string | null }
  /** The export is incomplete, or was changed since. */
  | { readonly _tag: 'ExportDamaged'; readonly problem: string }
  /** Another process writes to the target. */
  | { readonly _tag: 'ConcurrentWriter' }
  | CopyDiffers

/** Differences found by the comparison. They are copied again when the copy is resumed. */
export type CopyDiffers = {
  readonly _tag: 'CopyDiffers'
  /** Changed in the source in the meantime. */
  readonly changed: Differences
  /** Different in the target. */
  readonly damaged: Differences
}

export type Differences = {
  readonly partitions: readonly PartitionName[]
  readonly blobs: number
}

/** Ends the copy with this rejection. */
export const throwRejection = (rejection: CopyRejection): never => {
  throw rejection
}

/** Ends the copy if partitions or blobs differ. */
export const throwIfDifferent = (
  partitions: Readonly<Record<'changed' | 'damaged', readonly PartitionName[]>>,
  blobs: Readonly<Record<'changed' | 'damaged', number>>,
): void => {
  const changed = { partitions: partitions.changed, blobs: blobs.changed }
  const damaged = { partitions: partitions.damaged, blobs: blobs.damaged }
  const isEqual = [changed, damaged].every((each) => each.partitions.length + each.blobs === 0)
  if (!isEqual) throwRejection({ _tag: 'CopyDiffers', changed, damaged })
}

const isVersionConflict = (failure: { readonly _tag: string }): failure is VersionConflict =>
  failure._tag === 'VersionConflict'

/** Writes to the target, where a conflict means that another process writes there too. Throws why it is not written. */
export const rejectConflict = async <F extends { readonly _tag: string }, A>(
  write: TaskEither<F | VersionConflict, A>,
): Promise<A> => {
  const written = await write()
  if (E.isRight(written)) return written.right
  if (isVersionConflict(written.left)) return throwRejection({ _tag: 'ConcurrentWriter' })
  throw written.left
}

/** Throws why a document was not inserted, unless the target has one of this id already. */
export const requireAccepted = (
  failure: WriteFailure,
  document: PartitionName & { readonly id: string },
): void => {
  if (failure._tag === 'PortFailure') throw failure
  if (failure._tag === 'VersionConflict') return
  const limit = failure._tag === 'DocumentTooLarge' ? failure.limit : null
  throwRejection({ _tag: 'DocumentRejected', ...document, limit })
}

export type CopyFailure = PortFailure | CopyRejection

const tags: Readonly<Record<CopyFailure['_tag'], true>> = {
  PortFailure: true,
  SourceEmpty: true,
  SourceUnfinished: true,
  DataMissing: true,
  TargetNotEmpty: true,
  OtherCopy: true,
  DocumentRejected: true,
  DocumentDiffers: true,
  OtherBackups: true,
  BackupMissing: true,
  ExportDamaged: true,
  ConcurrentWriter: true,
  CopyDiffers: true,
}

/** Whether a step threw a CopyFailure. */
const isCopyFailure = (error: unknown): error is CopyFailure =>
  typeof error === 'object' && error !== null && '_tag' in error && Object.hasOwn(tags, String(error._tag))

/** A copy, or a step of one, as a task that can be run again after any failure. Its steps throw a CopyFailure. */
export const asTask =
  <A>(work: () => Promise<A>): TaskEither<CopyFailure, A> =>
  async () => {
    try {
      return E.right(await work())
    } catch (error) {
      if (isCopyFailure(error)) return E.left(error)
      throw error
    }
  }
