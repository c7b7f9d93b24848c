/**
 * A GIF's header: the size of its screen. The pictures that follow are looked at only when it is scaled, where the
 * first one stands for all.
 */
import { E } from '@publishing-service/domain'
import { brokenHeader, type HeaderReader, refused } from './image-header.js'

const version87 = 0x3761
const version89 = 0x3961

export const readGifHeader: HeaderReader = (bytes) => {
  const version = bytes.getUint16(4)
  if (version !== version87 && version !== version89) return refused(brokenHeader)
  const width = bytes.getUint16(6, true)
  const height = bytes.getUint16(8, true)
  return E.right({
    mimetype: 'image/gif',
    width,
    height,
    orientation: 1,
    decodingBytes: width * height + bytes.byteLength * 2,
    leastBytes: 0,
  })
}
