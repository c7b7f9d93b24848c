/**
 * The size of an SVG: what `width` and `height` of its root element say in absolute units, else its `viewBox`. Nothing after that
 * element is read, and no entity is replaced.
 */
import { E } from '@publishing-service/domain/fp'
import type { Size } from '@publishing-service/domain/images'
import { bytes, longestPiece, unknownFormat, type HeaderReader, type HeaderResult } from './header-reader.js'

/** Characters for which a text is made at once. */
const atOnce = 4096

/** Each byte as one character: what matters is in ASCII. */
const textOf = (data: DataView): string => {
  const all = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  let text = ''
  for (let at = 0; at < all.length; at += atOnce)
    text += String.fromCharCode(...all.subarray(at, at + atOnce))
  return text
}

/** The position after a document type, which begins at a position; -1 if it has no end. */
const endOfDoctype = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"' || sign === "'") {
      at = text.indexOf(sign, at + 1)
      if (at === -1) return -1
    } else if (sign === '[') depth += 1
    else if (sign === ']') depth -= 1
    else if (sign === '>' && depth <= 0) return at + 1
  }
  return -1
}

const after = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from)
  return at === -1 ? -1 : at + end.length
}

const space = /\s*/y

/** The position of the root element, after instructions, comments and the document type; -1 if there is none. */
const startOfRoot = (text: string, start: number): number => {
  let at = start
  for (;;) {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
    if (text.startsWith('<?', at)) at = after(text, '?>', at)
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at)
    else if (text.startsWith('<!DOCTYPE', at)) at = endOfDoctype(text, at)
    else return at
    if (at === -1) return -1
  }
}

const rootName = /<(?:[\w.-]+:)?svg(?=[\s/>])/y
const attribute = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const endOfTag = /\s*\/?>/y

/** The attributes of the element whose name ends at a position; null if its tag has no end. */
const attributesAt = (text: string, start: number): ReadonlyMap<string, string> | null => {
  const found = new Map<string, string>()
  let at = start
  for (;;) {
    attribute.lastIndex = at
    const [whole = '', name = '', double, single = ''] = attribute.exec(text) ?? []
    if (whole === '') break
    found.set(name, double ?? single)
    at += whole.length
  }
  endOfTag.lastIndex = at
  return endOfTag.test(text) ? found : null
}

/** Pixels of each absolute unit. */
const pixelsOf: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
])

const length = /^\s*\+?(\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e([+-]?\d{1,2}))?([a-z]{0,2})\s*$/i

/** A length in pixels; null if it is none in an absolute unit. */
const pixelsIn = (text: string | undefined): number | null => {
  const [, number = '', exponent = '0', unit = ''] = length.exec(text ?? '') ?? []
  const pixels = pixelsOf.get(unit.toLowerCase())
  const value = number === '' || pixels === undefined ? 0 : Number(`${number}e${exponent}`) * pixels
  return value > 0 ? value : null
}

const boxIn = (text: string | undefined): Size | null => {
  const [, , width, height, ...others] = (text ?? '').trim().split(/\s*,\s*|\s+/)
  const size = { width: Number(width), height: Number(height) }
  const isBox = Object.values(size).every((side) => side > 0 && Number.isFinite(side))
  return isBox && others.length === 0 ? size : null
}

const whole = (side: number): number => Math.max(Math.round(side), 1)

const sizeIn = (attributes: ReadonlyMap<string, string>): Size | null => {
  const [width, height] = [pixelsIn(attributes.get('width')), pixelsIn(attributes.get('height'))]
  const box = boxIn(attributes.get('viewBox'))
  if (width !== null && height !== null) return { width, height }
  if (box === null) return null
  if (width !== null) return { width, height: (width * box.height) / box.width }
  return height === null ? box : { width: (height * box.width) / box.height, height }
}

const headerIn = (text: string): HeaderResult => {
  const start = startOfRoot(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0)
  rootName.lastIndex = start
  if (start === -1 || !rootName.test(text)) return unknownFormat
  const attributes = attributesAt(text, rootName.lastIndex)
  const size = attributes === null ? null : sizeIn(attributes)
  return size === null
    ? unknownFormat
    : E.right({ mimetype: null, width: whole(size.width), height: whole(size.height) })
}

/** Reads the root element after the first byte of the data. */
export const readSvgHeader = (first: number) =>
  function* (): HeaderReader {
    const rest = (data: DataView): HeaderResult => headerIn(String.fromCharCode(first) + textOf(data))
    return rest(yield bytes(longestPiece, 0, rest))
  }
