/** The sizes of an image that websites offer to browsers (docs/images.md#responsive-images). */
import { boxSides } from '../image/scaled-size.js'
import type { JsonObject } from '../json.js'
import { attributeIn } from '../resource/table-entries.js'
import type { ViewContext } from '../resource/view-context.js'
import { fileDataAttributes, recordedImage } from './file-data.js'

export type SrcsetEntry = { readonly width: number; readonly url: string }

/** The widths of the ladder: those sizes of requests without a token that pages show, in pixels. */
export const srcsetWidths: readonly number[] = boxSides.filter((side) => side >= 320 && side <= 2560)

const widest = Math.max(...srcsetWidths)

/**
 * An image file in the widths of the ladder, none wider than the original; the last is that of the original if it is
 * between two of them. Empty for what the deployment cannot scale.
 */
export const srcsetOf = (
  { links, canScale }: Pick<ViewContext, 'links' | 'canScale'>,
  fileId: string,
  file: JsonObject,
): readonly SrcsetEntry[] => {
  const image = recordedImage(file)
  const upload = attributeIn(fileDataAttributes, 'upload', file)
  if (image === null || upload === null || canScale?.(image) === false) return []
  const urlOf = (w: number): string => links.download(fileId, upload, { w, format: 'auto' })
  const ladder = srcsetWidths.filter((width) => width < image.width)
  const last = Math.min(image.width, widest)
  // The original's width is rounded up in a request without a token, and an image is never enlarged.
  return [...ladder.filter((width) => width < last), last].map((width) => ({ width, url: urlOf(width) }))
}
