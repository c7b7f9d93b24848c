import type { Links } from '@publishing-service/domain/engine'

const noLink = (): string => ''

/** The links of requests whose results nobody reads. */
export const noLinks: Links = {
  root: '',
  collection: noLink,
  object: noLink,
  slot: noLink,
  draftSlot: noLink,
  tagging: noLink,
  draftTagging: noLink,
  download: noLink,
  defaultThumbnail: noLink,
}
