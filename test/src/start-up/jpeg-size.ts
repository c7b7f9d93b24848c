/** Width and height that a JPEG’s header tells: those of its first frame. */
export const jpegSize = (data: Uint8Array): { readonly width: number; readonly height: number } => {
  const view = Buffer.from(data)
  let at = 2
  while (at + 9 < view.length && view[at] === 0xff) {
    const marker = view[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    at += 2 + view.readUInt16BE(at + 2)
  }
  throw new Error('There is no frame: this is no JPEG')
}
