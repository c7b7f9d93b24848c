/** Pictures that are texts such as `picture 40x30`, so that tests can read what was made of them. */
import { E } from '@publishing-service/domain'
import type { Imaging } from '@publishing-service/ports'
import { bytesOf, textOf } from './ascii.js'

export type PictureImaging = Imaging & {
  /** How many pictures were scaled until now. */
  readonly scaled: () => number
}

const pattern = /^picture (\d+)x(\d+)/

export const picture = (width: number, height: number): Uint8Array => bytesOf(`picture ${width}x${height}`)

/** An imaging adapter for these texts; it counts its work. */
export const pictureImaging = (): PictureImaging => {
  let scaled = 0
  const unreadable = { _tag: 'ImageUnreadable', reason: 'is no picture' } as const
  return {
    version: 'test-1',
    formats: [{ mimetype: 'image/png' }],
    scaled: () => scaled,
    probe: (data) => async () => {
      const [, width, height] = pattern.exec(textOf(data)) ?? []
      return width === undefined
        ? E.left(unreadable)
        : E.right({ mimetype: 'image/png', width: Number(width), height: Number(height) })
    },
    scale:
      (data, { width, height }) =>
      async () => {
        scaled += 1
        return pattern.test(textOf(data)) ? E.right(picture(width, height)) : E.left(unreadable)
      },
    close: async () => undefined,
  }
}
