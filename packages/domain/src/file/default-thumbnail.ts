/** The default thumbnails of media without an image (docs/behaviour/slots-and-media.md#thumbnails). */
export const thumbnailKinds = ['audio', 'video', 'embed', 'link', 'file'] as const

export type ThumbnailKind = (typeof thumbnailKinds)[number]

export const isThumbnailKind = (name: string): name is ThumbnailKind =>
  thumbnailKinds.some((kind) => kind === name)

export const defaultThumbnailMimetype = 'image/png'
