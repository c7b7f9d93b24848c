import { pipe, TE, type TaskEither } from '@publishing-service/domain'
import type { PortFailure, VersionConflict } from '@publishing-service/ports'

/** Why a copy isn't made, or isn't one yet. */
export type CopyRejection =
  /** The source holds no instance. */
  | { readonly _tag: 'SourceEmpty' }
  /** The source is an unfinished copy itself. */
  | { readonly _tag: 'SourceUnfinished'; readonly source: string }
  /** The source's documents name file data that its blobs don't hold. */
  | { readonly _tag: 'DataMissing'; readonly instance: number; readonly file: string }
  /** The target holds something that isn't of a copy. */
  | { readonly _tag: 'TargetOccupied'; readonly part: 'documents' | 'blobs' }
  /** The target is an unfinished copy of something else. */
  | { readonly _tag: 'OtherCopy'; readonly source: string }
  /** The target doesn't take a document that the source holds; `limit` in bytes where it is too large. */
  | {
      readonly _tag: 'DocumentNotTaken'
      readonly instance: number
      readonly collection: string
      readonly id: string
      readonly limit: number | null
    }
  /** Another process writes to the target. */
  | { readonly _tag: 'CopyOvertaken' }
  | CopyDiffers

/** What was found different in the end. It is copied anew when the copy is resumed. */
export type CopyDiffers = {
  readonly _tag: 'CopyDiffers'
  /** What the source has changed in the meantime. */
  readonly changed: Differences
  /** What the target doesn't give back as it was given. */
  readonly broken: Differences
}

export type PartitionName = { readonly instance: number; readonly collection: string }

export type Differences = {
  readonly partitions: readonly PartitionName[]
  readonly blobs: number
}

/** Ends the copy with this. */
export const throwRejection = (rejection: CopyRejection): never => {
  throw rejection
}

/** A write to the target, where a conflict means that another process writes there too. */
export const rejectConflict = <F extends { readonly _tag: string }, A>(
  write: TaskEither<F | VersionConflict, A>,
): TaskEither<F | CopyRejection, A> =>
  pipe(
    write,
    TE.mapLeft((failure): F | CopyRejection =>
      failure._tag === 'VersionConflict' ? { _tag: 'CopyOvertaken' } : (failure as F),
    ),
  )

export type CopyFailure = PortFailure | CopyRejection

const tags: Readonly<Record<CopyFailure['_tag'], true>> = {
  PortFailure: true,
  SourceEmpty: true,
  SourceUnfinished: true,
  DataMissing: true,
  TargetOccupied: true,
  OtherCopy: true,
  DocumentNotTaken: true,
  CopyOvertaken: true,
  CopyDiffers: true,
}

/** For what a step throws. */
export const isCopyFailure = (error: unknown): error is CopyFailure =>
  typeof error === 'object' && error !== null && '_tag' in error && Object.hasOwn(tags, String(error._tag))
