/** A GIF's header: the size of its screen. The adapters read the frames that follow, of which they scale the first. */
import { E } from '@publishing-service/domain/fp'
import { bytes, unreadableHeader, type HeaderReader } from './header-reader.js'

const version87 = 0x3761
const version89 = 0x3961

export function* readGifHeader(): HeaderReader {
  const screen = yield bytes(6)
  const version = screen.getUint16(0)
  if (version !== version87 && version !== version89) return unreadableHeader
  return E.right({
    mimetype: 'image/gif',
    width: screen.getUint16(2, true),
    height: screen.getUint16(4, true),
    orientation: 1,
    leastBytes: 0,
  })
}
