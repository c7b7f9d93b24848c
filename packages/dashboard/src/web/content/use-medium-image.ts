import type { JsonObject } from '@publishing-service/domain'
import { fileRow } from '../library/use-files.js'
import { textOf } from '../service/json.js'
import { useObject } from '../service/use-object.js'

/** The address of the image of a medium: that of the response, or of the file if it was chosen since. */
export const useMediumImage = (medium: JsonObject): string | null => {
  const chosen = textOf(medium['thumb_uuid']) ?? textOf(medium['image_uuid'])
  const known = textOf(medium['image_url']) ?? textOf(medium['thumb_url'])
  const isKnown = chosen === null || (known?.includes(`/files/${chosen}/`) ?? false)
  const { data } = useObject('files', isKnown ? null : chosen)
  if (isKnown) return known
  return data === undefined ? null : fileRow(data.value).download_url
}
