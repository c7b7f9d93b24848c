import { model } from 'virtual:model'
import { RejectedFile } from '../library/upload-file.js'

/** The side of a picture of a person, in pixels. */
const side = 128

/** Browsers that do not write WebP write PNG instead, which is large. */
const formats = ['image/webp', 'image/jpeg']
const qualities = [0.9, 0.7, 0.5]

const bitmapOf = async (file: File): Promise<ImageBitmap> => {
  try {
    return await createImageBitmap(file)
  } catch {
    throw new RejectedFile('broken')
  }
}

/** The middle of an image, in small, as an address with its data. Fails with RejectedFile for what is no image. */
export const pictureFrom = async (file: File): Promise<string> => {
  const image = await bitmapOf(file)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const from = Math.min(image.width, image.height)
  const [left, top] = [(image.width - from) / 2, (image.height - from) / 2]
  canvas.getContext('2d')?.drawImage(image, left, top, from, from, 0, 0, side, side)
  image.close()
  for (const quality of qualities)
    for (const format of formats) {
      const address = canvas.toDataURL(format, quality)
      if (address.startsWith(`data:${format};`) && address.length <= model.maxPictureCharacters)
        return address
    }
  throw new RejectedFile('broken')
}
