/** Pictures that are the header of a GIF and a text such as `picture 40x30`, so that tests can read the result. */
import { E } from '@publishing-service/domain/fp'
import type { PixelSummary } from '@publishing-service/domain/files'
import type { Rendering } from '@publishing-service/domain/images'
import { readImage, readImageHeader } from '@publishing-service/image-header'
import {
  readWhole,
  type ImageUnreadable,
  type Imaging,
  type PortFailure,
  type SizedBody,
} from '@publishing-service/ports'
import { bytesOf } from './ascii.js'

export type PictureImaging = Imaging & {
  /** How many pictures were scaled or summarised until now. */
  readonly scaled: () => number
  /** No job ends until the returned function is called. */
  readonly hold: () => () => void
}

/** Data that states its size; `rest` makes them unreadable, or different. */
export const picture = (width: number, height: number, rest = `picture ${width}x${height}`): Uint8Array =>
  bytesOf(`GIF89a${String.fromCharCode(width & 255, width >> 8, height & 255, height >> 8)}${rest}`)

/** What the test adapter makes: its text states the format and the region, if they are not those of the original. */
export const renderedPicture = ({ size: { width, height }, format, region }: Rendering): Uint8Array =>
  picture(
    width,
    height,
    [
      `picture ${width}x${height}`,
      ...(format === null ? [] : [format]),
      ...(region === null ? [] : [`at ${region.left} ${region.top}`]),
    ].join(' '),
  )

/** What the test adapter finds in the pixels of every picture. */
export const pictureSummary: PixelSummary = { colour: '#123456', isOpaque: true, picture: 'UklGRg==' }

/** An imaging adapter for these texts; it counts its work. */
export const pictureImaging = (): PictureImaging => {
  let scaled = 0
  let gate = Promise.resolve()
  const readPicture = async <F>(
    original: SizedBody<F>,
  ): Promise<E.Either<F | PortFailure | ImageUnreadable, Uint8Array>> => {
    const data = await readWhole(original)()
    if (E.isLeft(data)) return data
    scaled += 1
    await gate
    const isWhole = E.isRight(readImageHeader(data.right)) && data.right.length > 10
    return isWhole ? data : E.left({ _tag: 'ImageUnreadable', reason: 'is no picture' })
  }
  return {
    version: 'test-1',
    formats: ['image/gif'],
    makes: ['image/webp', 'image/jpeg', 'image/png'],
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
    scale: (original, rendering) => async () => {
      const read = await readPicture(original)
      return E.isLeft(read) ? read : E.right(renderedPicture(rendering))
    },
    summarise: (original) => async () => {
      const read = await readPicture(original)
      return E.isLeft(read) ? read : E.right(pictureSummary)
    },
    close: async () => undefined,
  }
}
