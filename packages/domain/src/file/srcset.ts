/** The sizes of an image that websites offer to browsers (docs/images.md#responsive-images). */
import { E } from '../fp.js'
import {
  preferredFormats,
  renderingOf,
  type OriginalImage,
  type Renderable,
  type Rendering,
} from '../image/image-request.js'
import { boxSides, type Size } from '../image/scaled-size.js'
import type { JsonObject } from '../json.js'
import { attributeIn } from '../resource/table-entries.js'
import type { ViewContext } from '../resource/view-context.js'
import { fileDataAttributes, recordedImage } from './file-data.js'

export type SrcsetEntry = { readonly width: number; readonly url: string }

/** The widths of the ladder: those sizes of requests without a token that pages show, in pixels. */
export const srcsetWidths: readonly number[] = boxSides.filter((side) => side >= 320 && side <= 2560)

const widest = Math.max(...srcsetWidths)

/** The widths of the ladder that an image has; the last is its own if that is between two of them. */
const widthsOf = (image: Size): readonly number[] => {
  const last = Math.min(image.width, widest)
  return [...srcsetWidths.filter((width) => width < last), last]
}

/** What the address of each entry requests. */
const requestOf = (w: number) => ({ w, format: 'auto' }) as const

/**
 * An image file in the widths of the ladder, none wider than the original. Empty for what the deployment cannot scale.
 */
export const srcsetOf = (
  { links, canScale }: Pick<ViewContext, 'links' | 'canScale'>,
  fileId: string,
  file: JsonObject,
): readonly SrcsetEntry[] => {
  const image = recordedImage(file)
  const upload = attributeIn(fileDataAttributes, 'upload', file)
  if (image === null || upload === null || canScale?.(image) === false) return []
  return widthsOf(image).map((width) => ({
    width,
    url: links.download(fileId, upload, requestOf(width)),
  }))
}

/** How the images of the ladder are made for browsers that accept every format, before they are requested. */
export const srcsetRenderings = (image: OriginalImage, renderable: Renderable): readonly Rendering[] =>
  widthsOf(image).flatMap((width) => {
    const request = { h: null, fit: null, focal_point: null, q: null, ...requestOf(width) }
    const rendering = renderingOf(image, request, {
      ...renderable,
      focalPoint: null,
      accepted: preferredFormats,
      isRounded: true,
    })
    return E.isRight(rendering) && rendering.right !== null ? [rendering.right] : []
  })
