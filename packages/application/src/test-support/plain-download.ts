import type { SentImageRequest } from '@publishing-service/domain/images'

/** Parameters of a download, and undefined for the others. */
export const imageOf = (parameters: Partial<SentImageRequest>): SentImageRequest => ({
  w: undefined,
  h: undefined,
  fit: undefined,
  focal_point: undefined,
  format: undefined,
  q: undefined,
  ...parameters,
})

/** The input of a download without parameters. */
export const plainDownload = { image: imageOf({}), accepted: [] } as const
