/**
 * The value of a key as bytes whose order is that of the values: no nulls, collations or number types of a database
 * take part. An absent value is empty, a text its UTF-8, a number its 8 bytes with the sign first, a boolean one byte.
 */
import type { KeyValue, PlainType } from '@publishing-service/ports/key-values'

const absent = new Uint8Array()
const booleans = [Uint8Array.of(0), Uint8Array.of(1)] as const

const numberBytes = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, value)
  // Negative numbers: all bits, so that a greater amount sorts before a smaller one. Others: the sign.
  if (value < 0) for (let i = 0; i < 8; i += 1) view.setUint8(i, ~view.getUint8(i))
  else view.setUint8(0, view.getUint8(0) | 0x80)
  return bytes
}

export const textBytes = (text: string): Uint8Array => Buffer.from(text)

export const textFrom = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

export const keyBytes = (value: KeyValue): Uint8Array => {
  if (value === null) return absent
  if (typeof value === 'string') return textBytes(value)
  return typeof value === 'number' ? numberBytes(value) : booleans[value ? 1 : 0]
}

/** The value of a key of this type from its bytes. */
export const keyFrom = (type: PlainType, bytes: Uint8Array): KeyValue => {
  if (bytes.length === 0) return null
  if (type === 'text') return textFrom(bytes)
  if (type === 'boolean') return bytes[0] === 1
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  if (view.getUint8(0) >= 0x80) view.setUint8(0, view.getUint8(0) & 0x7f)
  else for (let i = 0; i < 8; i += 1) view.setUint8(i, ~view.getUint8(i))
  return view.getFloat64(0)
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
