/**
 * The four inks of a CMYK JPEG. jpeg-js gives red, green and blue alone, mixed from the inks without any profile; so
 * the black one is decoded by itself, which tells the other three apart again.
 */
import { jpegMarkers } from './jpeg-scans.js'
import type { Bitmap } from './picture.js'

const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xc2
const startOfScan = 0xda
const tables = 4

/** A table that turns every block of a component into plain grey. */
const greyTable = (id: number): Buffer =>
  Buffer.from([0xff, 0xdb, 0, 67, id, ...Array.from({ length: 64 }, () => 0)])

/** The same JPEG, in which the first three inks are an even grey. `undefined` where it isn't laid out as they are. */
export const blackInkAlone = (data: Buffer): Buffer | undefined => {
  const changed = Buffer.from(data)
  let id: number | undefined
  for (const { code, at } of jpegMarkers(data)) {
    if (isFrame(code)) {
      const ofBlack = changed[at + 10 + 3 * 3 + 2]
      id = Array.from({ length: tables }, (_, each) => each).find((each) => each !== ofBlack)
      if (id === undefined || changed.length < at + 10 + 4 * 3) return undefined
      for (const component of [0, 1, 2]) changed.writeUInt8(id, at + 10 + component * 3 + 2)
    }
    if (code === startOfScan)
      return id === undefined
        ? undefined
        : Buffer.concat([changed.subarray(0, at), greyTable(id), changed.subarray(at)])
  }
  return undefined
}

/** What the grey inks come out as, which the decoder counts downwards from white. */
const evenInk = 127

/** Cyan, magenta, yellow and black of each pixel, 255 for full ink; both bitmaps are of one size. */
export const inksOf = (mixed: Bitmap, black: Bitmap): Uint8ClampedArray => {
  const inks = new Uint8ClampedArray(mixed.data.length)
  for (let at = 0; at < inks.length; at += 4) {
    const paper = 255 - (black.data[at] ?? 0)
    const key = Math.min(255, Math.max(0, (paper - evenInk) / (1 - evenInk / 255)))
    for (let ink = 0; ink < 3; ink += 1)
      inks[at + ink] = key >= 254 ? 0 : (255 - (mixed.data[at + ink] ?? 0) - key) / (1 - key / 255)
    inks[at + 3] = key
  }
  return inks
}
