/** What every copy needs and reports. */
import type { Checksum } from '@publishing-service/ports'

export type CopyStep =
  | 'check documents'
  | 'check blobs'
  | 'copy documents'
  | 'copy blobs'
  | 'compare documents'
  | 'compare blobs'
  | 'record paths'

/** The progress of a step, in documents, in bytes of blobs, or in objects with paths. */
export type CopyProgress = { readonly step: CopyStep; readonly done: number; readonly total: number }

/** What every copy needs besides its two sides. */
export type CopyTools = {
  readonly checksum: () => Checksum
  readonly onProgress: (progress: CopyProgress) => void
}

/** What was copied and found equal. */
export type CopyResult = {
  readonly instances: number
  readonly keys: number
  readonly documents: number
  readonly blobs: number
  /** Of all blobs. */
  readonly bytes: number
  /** Whether it continued an earlier run. */
  readonly resumed: boolean
}

/** Begins a step, and adds to its progress. */
export const progressOf = (
  { onProgress }: CopyTools,
  step: CopyStep,
  total: number,
): ((more: number) => void) => {
  let done = 0
  const report = (more: number): void => onProgress({ step, done: (done += more), total })
  report(0)
  return report
}
