import { defaultThumbnailMimetype, type ThumbnailKind } from '../file/default-thumbnail.js'
import { scaledSize } from '../file/scaled-size.js'
import { recordedImage } from '../image/recorded-image.js'
import { downloadUrl, mimetypeOf } from '../resource/image-attributes.js'
import type { ViewContext } from '../resource/view-context.js'

/** The square that thumbnails of images fit into. */
const thumbnailBox = { w: 240, h: 240 }

/** The attributes that determine the thumbnail of a medium. */
export type MediumParts = {
  readonly type: 'file' | 'external' | 'embed' | null
  readonly thumb_uuid: string | null
  readonly image_uuid: string | null
  readonly file_uuid: string | null
  readonly url_type: string | null
}

type Thumbnail = { readonly url: string; readonly mimetype: string | null }

const original = (view: ViewContext, fileId: string | null): Thumbnail | null => {
  const url = downloadUrl(view, fileId)
  return url === null ? null : { url, mimetype: mimetypeOf(view, fileId) }
}

/** The image scaled down; the original if it cannot be scaled. */
const scaledDown = (view: ViewContext, fileId: string | null): Thumbnail | null => {
  const image = typeof fileId === 'string' ? recordedImage(view.find('files', fileId) ?? {}) : null
  const url = downloadUrl(view, fileId, thumbnailBox)
  if (image === null || url === null || view.canScale?.(image) === false) return original(view, fileId)
  const isSmall = scaledSize(image, thumbnailBox) === null
  return { url, mimetype: isSmall ? mimetypeOf(view, fileId) : image.format }
}

const kindOf = ({ type, file_uuid, url_type }: MediumParts): ThumbnailKind => {
  if (type === 'embed') return 'embed'
  if (type === 'file') return typeof file_uuid === 'string' ? 'audio' : 'file'
  const [group] = String(url_type).split('_', 1)
  return group === 'audio' || group === 'video' ? group : 'link'
}

/** The thumbnail of a medium: its own, else its image, else the default thumbnail for its kind (docs/behaviour/slots-and-media.md#thumbnails). */
export const thumbnailOf = (medium: MediumParts, view: ViewContext): Thumbnail =>
  original(view, medium.thumb_uuid) ??
  scaledDown(view, medium.image_uuid) ?? {
    url: view.links.defaultThumbnail(kindOf(medium)),
    mimetype: defaultThumbnailMimetype,
  }
