import { useQuery } from '@tanstack/react-query'
import type { JsonObject } from '@publishing-service/domain'
import { fileRow } from '../library/use-files.js'
import { useInstance } from '../service/instance-context.js'

const textIn = (medium: JsonObject, name: string): string | null => {
  const value = medium[name]
  return typeof value === 'string' ? value : null
}

/** The address of the image of a medium: that of the response, or of the file if it was chosen since. */
export const useMediumImage = (medium: JsonObject): string | null => {
  const { api, iid } = useInstance()
  const chosen = textIn(medium, 'thumb_uuid') ?? textIn(medium, 'image_uuid')
  const known = textIn(medium, 'image_url') ?? textIn(medium, 'thumb_url')
  const isKnown = chosen === null || (known?.includes(`/files/${chosen}/`) ?? false)
  const { data } = useQuery({
    queryKey: [iid, 'files', chosen],
    queryFn: () => api.read(`files/${chosen}`),
    enabled: !isKnown,
  })
  if (isKnown) return known
  return data === undefined ? null : fileRow(data.value).download_url
}
