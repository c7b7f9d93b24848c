/** Pictures that are the header of a GIF and a text such as `picture 40x30`, so that tests can read the result. */
import { E } from '@publishing-service/domain/fp'
import { readImage, readImageHeader } from '@publishing-service/image-header'
import { readWhole, type Imaging } from '@publishing-service/ports'
import { bytesOf } from './ascii.js'

export type PictureImaging = Imaging & {
  /** How many pictures were scaled until now. */
  readonly scaled: () => number
  /** No job ends until the returned function is called. */
  readonly hold: () => () => void
}

/** Data that states its size; `rest` makes them unreadable, or different. */
export const picture = (width: number, height: number, rest = `picture ${width}x${height}`): Uint8Array =>
  bytesOf(`GIF89a${String.fromCharCode(width & 255, width >> 8, height & 255, height >> 8)}${rest}`)

/** An imaging adapter for these texts; it counts its work. */
export const pictureImaging = (): PictureImaging => {
  let scaled = 0
  let gate = Promise.resolve()
  return {
    version: 'test-1',
    formats: ['image/gif'],
    cmyk: false,
    parallel: 1,
    readHeader: readImage,
    scaled: () => scaled,
    hold: () => {
      let open: () => void = () => undefined
      gate = new Promise((resolve) => {
        open = resolve
      })
      return open
    },
    scale:
      (original, { width, height }) =>
      async () => {
        const data = await readWhole(original)()
        if (E.isLeft(data)) return data
        scaled += 1
        await gate
        const isWhole = E.isRight(readImageHeader(data.right)) && data.right.length > 10
        return isWhole
          ? E.right(picture(width, height))
          : E.left({ _tag: 'ImageUnreadable', reason: 'is no picture' })
      },
    close: async () => undefined,
  }
}
