import type { JsonObject } from '@publishing-service/domain/json'
import { Thumbnail } from '../library/thumbnail.js'
import { textOf } from '../../json.js'
import { useObject } from '../service/use-object.js'

type ImageProps = { readonly medium: JsonObject; readonly alt: string; readonly width?: number }

/** The image of a medium: that of the response, or the file if it was chosen since. */
export const MediumImage = ({ medium, ...image }: ImageProps) => {
  const chosen = textOf(medium['thumb_uuid']) ?? textOf(medium['image_uuid'])
  const known = textOf(medium['image_url']) ?? textOf(medium['thumb_url'])
  const isKnown = chosen === null || (known?.includes(`/files/${chosen}/`) ?? false)
  const { data } = useObject('files', isKnown ? null : chosen)
  return <Thumbnail download={isKnown ? known : textOf(data?.value['download_url'])} {...image} />
}
