/**
 * What every port can fail with: the part behind it can't be reached or refuses to work right now. The service
 * answers 503, or 507 where it has no room left, and the client may try again. Anything an adapter throws instead is a defect.
 */
export type PortFailure = {
  readonly _tag: 'PortFailure'
  /** The part that failed, as an operator knows it: `document store`, `blob store`, `imaging`. */
  readonly part: string
  /** For the log, never for a client: what the driver said. */
  readonly reason: string
  /** A write that failed so is perhaps still on its way, and may apply later than whatever is asked next. */
  readonly mayYetApply?: true
  /**
   * The part has no room for the write, and nothing was changed. The service answers 507. Removals
   * and urgent writes go on where the store can hold space back for them.
   */
  readonly storageFull?: true
}

/** For what an iteration throws. */
export const isPortFailure = (error: unknown): error is PortFailure =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === 'PortFailure'

export const portFailure = (part: string, error: unknown): PortFailure => ({
  _tag: 'PortFailure',
  part,
  reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
})

/** A write that found no room. */
export const storageFull = (part: string, error: unknown): PortFailure => ({
  ...portFailure(part, error),
  storageFull: true,
})
