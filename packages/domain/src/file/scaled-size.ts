import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'

export type Size = { readonly width: number; readonly height: number }

/** Whether this is the size of a picture: two positive integers. */
export const isSize = ({ width, height }: Size): boolean =>
  Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0

/** The maximum width and height that a download asks for, in pixels; null where that side is free. */
export type Box = { readonly w: number | null; readonly h: number | null }

export const maxBoxSide = 10_000

const parseSide = (name: 'w' | 'h', text: string | undefined, faults: Fault[]): number | null => {
  if (text === undefined) return null
  const side = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (side >= 1 && side <= maxBoxSide) return side
  faults.push(fault(name, `must be a whole number from 1 to ${maxBoxSide}`))
  return null
}

/** The box of a download's parameters w and h (docs/behaviour/files.md#scaling); null where neither was sent. */
export const parseBox = (
  w: string | undefined,
  h: string | undefined,
): Either<readonly Fault[], Box | null> => {
  const faults: Fault[] = []
  const box = { w: parseSide('w', w, faults), h: parseSide('h', h, faults) }
  if (faults.length > 0) return E.left(faults)
  return E.right(w === undefined && h === undefined ? null : box)
}

/** The same message for each side that was asked for. */
export const boxFaults = ({ w, h }: Box, message: string): readonly Fault[] => [
  ...(w === null ? [] : [fault('w', message)]),
  ...(h === null ? [] : [fault('h', message)]),
]

/**
 * The sides that requests without a token get, in pixels. Each side of their box is rounded up to the next of these, so
 * that they can have at most twice as many sizes of one image made as this list is long.
 */
export const boxSides: readonly number[] = [
  40,
  80,
  120,
  160,
  240,
  320,
  480,
  640,
  800,
  960,
  1280,
  1600,
  1920,
  2560,
  3840,
  5120,
  7680,
  maxBoxSide,
]

const nextSide = (side: number | null): number | null =>
  side === null ? null : (boxSides.find((each) => each >= side) ?? maxBoxSide)

/** The box with each of its sides rounded up to the next of `boxSides`; a free side stays free. */
export const roundedBox = ({ w, h }: Box): Box => ({ w: nextSide(w), h: nextSide(h) })

/** The size that fits the box in the image's proportions; null where the image fits already: it is never enlarged. */
export const scaledSize = ({ width, height }: Size, { w, h }: Box): Size | null => {
  const ratio = Math.min((w ?? width) / width, (h ?? height) / height)
  if (ratio >= 1) return null
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) }
}
