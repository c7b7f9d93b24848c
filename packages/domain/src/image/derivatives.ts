/** Which scaled images are the same, and which of them are stored (docs/behaviour/files.md#derivatives). */
import type { Size } from '../file/scaled-size.js'

/** The name of a scaled image, stored with its original: sizes that scale to the same pixels share it. */
export const derivativeName = ({ width, height }: Size, imagingVersion: string): string =>
  `${width}x${height}-${imagingVersion}`

export type StoredDerivative = {
  readonly key: string
  /** Milliseconds since 1970 */
  readonly lastUsed: number
}

/** Those that have to go so that `most` are left: the ones that were used least recently. */
export const surplusDerivatives = (
  stored: readonly StoredDerivative[],
  most: number,
): readonly StoredDerivative[] =>
  stored.length <= most
    ? []
    : stored.toSorted((one, other) => one.lastUsed - other.lastUsed).slice(0, stored.length - most)
