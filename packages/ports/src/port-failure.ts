/**
 * The failure of every port: the part is unreachable or does not work now. The service responds with 503, or
 * 507 if no space is left, and the client may try again. Anything that an adapter throws instead is a defect.
 */
export type PortFailure = {
  readonly _tag: 'PortFailure'
  /** The part that failed, in words for operators: `document store`, `blob store`, `imaging`. */
  readonly part: string
  /** The message of the driver. For the log, never for a client. */
  readonly reason: string
  /** The failed write may still be applied, even after later requests. */
  readonly mayYetApply?: true
  /**
   * There is no space for the write, and nothing was changed. The service responds with 507. Removals still work if the
   * store reserves space for them, as long as that lasts.
   */
  readonly storageFull?: true
  /** With `storageFull`: removals still work, as far as the store can tell. */
  readonly removalsWork?: true
}

/** For errors that an iteration throws. */
export const isPortFailure = (error: unknown): error is PortFailure =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === 'PortFailure'

export const portFailure = (part: string, error: unknown): PortFailure => ({
  _tag: 'PortFailure',
  part,
  reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
})

/** The failure of a write for which there is no space. */
export const storageFull = (part: string, error: unknown): PortFailure => ({
  ...portFailure(part, error),
  storageFull: true,
})
