/** Pictures of a page: what a website needs to show an image without another request. */
import { downloadUrl, fileDataAttributes, fileTextAttributes, recordedImage } from '../files/file-data.js'
import { uriSchema, textSchema, uuidSchema } from '../resource/shown-attribute.js'
import { attributeIn } from '../resource/attribute-tables.js'
import type { ViewContext } from '../resource/view-context.js'
import type { JsonObject } from '../json.js'
import { column, composite, nullableColumn } from './composite.js'
import { E } from '../fp.js'
import {
  preferredFormats,
  renderingOf,
  type OriginalImage,
  type Renderable,
  type Rendering,
} from '../images/image-request.js'
import { boxSides, type Size } from '../images/scaled-size.js'

// The sizes of an image that websites offer to browsers (docs/images.md#responsive-images).

type SrcsetEntry = { readonly width: number; readonly url: string }

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
  view: Pick<ViewContext, 'links' | 'canScale'>,
  fileId: string,
  file: JsonObject,
): readonly SrcsetEntry[] => {
  const image = recordedImage(file)
  const upload = attributeIn(fileDataAttributes, 'upload', file)
  if (image === null || upload === null || !view.canScale(image)) return []
  return widthsOf(image).map((width) => ({
    width,
    url: view.links.download(fileId, upload, requestOf(width)),
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

/** What pictures depend on. */
export type PictureView = Pick<ViewContext, 'find' | 'links' | 'canScale'>

type Source = {
  readonly id: string
  readonly url: string
  readonly state: JsonObject
  readonly view: PictureView
}

const pixels = { type: 'integer', minimum: 1 } as const

const ofText =
  <N extends 'title' | 'description' | 'credits' | 'focal_point'>(name: N) =>
  ({ state }: Source) =>
    attributeIn(fileTextAttributes, name, state)

const ofData =
  <N extends 'mimetype' | 'width' | 'height' | 'placeholder'>(name: N) =>
  ({ state }: Source) =>
    attributeIn(fileDataAttributes, name, state)

/** An image of the file library on a page. */
export const picture = composite('Picture', 'An image, with what a website needs to show it.', {
  uuid: column(uuidSchema, 'UUID of its file.', ({ id }: Source) => id),
  url: column(uriSchema, 'Where to download it as it was uploaded.', ({ url }: Source) => url),
  mimetype: nullableColumn(textSchema, 'Its MIME type.', ofData('mimetype')),
  width: nullableColumn(pixels, 'Its width in pixels; null if it is not known.', ofData('width')),
  height: nullableColumn(pixels, 'Its height in pixels; null if it is not known.', ofData('height')),
  alt: nullableColumn(textSchema, 'The text in its place: the title of its file.', ofText('title')),
  caption: nullableColumn(textSchema, 'The description of its file.', ofText('description')),
  credits: nullableColumn(textSchema, 'Who made it.', ofText('credits')),
  focal_point: nullableColumn(
    fileTextAttributes.focal_point.type.schema,
    'What stays visible if it is cropped; the centre without it.',
    ofText('focal_point'),
  ),
  placeholder: nullableColumn(
    fileDataAttributes.placeholder.type.schema,
    'Its average colour, and a tiny image, until it is there.',
    ofData('placeholder'),
  ),
  srcset: column(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          width: { ...pixels, description: 'The width in pixels.' },
          url: { ...uriSchema, description: 'Where to download it in this width.' },
        },
        required: ['width', 'url'],
      },
      maxItems: srcsetWidths.length + 1,
    },
    'Its addresses in several widths, the smallest first; empty if it is not scaled.',
    ({ id, state, view }: Source) => srcsetOf(view, id, state),
  ),
})

export type Picture = ReturnType<typeof picture.read>

/** The picture of an image file; null if there is none, or it has no data. */
export const pictureOf = (id: string | null, view: PictureView): Picture | null => {
  if (id === null) return null
  const [state, url] = [view.find('files', id), downloadUrl(view, id)]
  return state === undefined || url === null ? null : picture.read({ id, url, state, view })
}
