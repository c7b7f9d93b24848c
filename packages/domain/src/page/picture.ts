/** Pictures of a page: what a website needs to show an image without another request. */
import { downloadUrl, fileDataAttributes, fileTextAttributes } from '../file/file-data.js'
import { srcsetOf, srcsetWidths } from '../file/srcset.js'
import { uriSchema, textSchema, uuidSchema } from '../resource/shown-attribute.js'
import { attributeIn } from '../resource/table-entries.js'
import type { ViewContext } from '../resource/view-context.js'
import type { JsonObject } from '../json.js'
import { column, composite, nullableColumn } from './composite.js'

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
