/** What the header of an AVIF states (ISO/IEC 23008-12), without a decoder. */
import type { Size } from '@publishing-service/domain/images'

/** The size in an AVIF of one image; null for other data. */
export const avifSize = (data: Uint8Array): Size | null => {
  const file = Buffer.from(data.buffer, data.byteOffset, data.length)
  if (file.toString('latin1', 4, 12) !== 'ftypavif') return null
  // The property `ispe`: its type, version and flags, width, height.
  const at = file.indexOf('ispe', 0, 'latin1')
  return at < 0 ? null : { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) }
}
