/** Cropping to a box around a focal point (docs/behaviour/files.md#cropping). */
import { maxBoxSide, nextSide, type Size } from './scaled-size.js'

/** What must stay visible if an image is cropped: fractions of its width and height, from the left and from the top. */
export type FocalPoint = { readonly x: number; readonly y: number }

export const centre: FocalPoint = { x: 0.5, y: 0.5 }

/** A part of an upright image, in pixels from its left and its top. */
export type Region = Size & { readonly left: number; readonly top: number }

/** A box with both sides. */
export type WholeBox = { readonly w: number; readonly h: number }

/** Where a part of this length begins: around a fraction of the whole, and within it. */
const startOf = (whole: number, part: number, fraction: number): number =>
  Math.min(whole - part, Math.max(0, Math.round(whole * fraction - part / 2)))

/**
 * The largest part of an image in the proportions of a box, around a focal point, and the size that it is scaled to: that
 * of the box, or less where the part is smaller. Images are never enlarged.
 */
export const cropped = (
  { width, height }: Size,
  { w, h }: WholeBox,
  { x, y }: FocalPoint,
): { readonly region: Region; readonly size: Size } => {
  const ratio = Math.min(width / w, height / h)
  const part = (side: number, whole: number): number => Math.min(whole, Math.max(1, Math.round(side * ratio)))
  const region = { width: part(w, width), height: part(h, height) }
  const size = { width: Math.min(w, region.width), height: Math.min(h, region.height) }
  return {
    region: { ...region, left: startOf(width, region.width, x), top: startOf(height, region.height, y) },
    size,
  }
}

/** The proportions of a box in a request without a token, width to height, and the same upright. */
export const boxRatios: readonly (readonly [number, number])[] = [
  [3, 1],
  [21, 9],
  [2, 1],
  [40, 21],
  [16, 9],
  [3, 2],
  [4, 3],
  [5, 4],
  [1, 1],
]

const allRatios = boxRatios.flatMap(([w, h]) => (w === h ? [1] : [w / h, h / w]))

/**
 * The box of a cropped image in a request without a token: its width is rounded up to the next of `boxSides`, and its
 * proportions to the nearest of `boxRatios`. This limits the sizes that such requests can create.
 */
export const roundedCrop = ({ w, h }: WholeBox): WholeBox => {
  const distance = (ratio: number): number => Math.abs(Math.log((ratio * h) / w))
  const nearest = allRatios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best))
  const width = nextSide(w)
  return { w: width, h: Math.max(1, Math.min(maxBoxSide, Math.round(width / nearest))) }
}
