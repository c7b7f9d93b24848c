import { derived, type DerivedAttribute } from '../../resource/attribute.js'

const legacy = (instead: string): DerivedAttribute =>
  derived({ type: 'string' }, 'Kept for old clients: always null.', () => null, {
    deprecated: `Since release 2.9; use ${instead}.`,
    nullable: true,
  })

/** Attributes that old clients expect on every content object, as null (decisions §7). */
export const legacyAttributes = {
  feature_image_url: legacy('header_image_url'),
  feature_image_caption: legacy('media slots'),
  feature_image_alttext: legacy('media slots'),
  feature_thumb_url: legacy('teaser_image_url'),
  video_uuid: legacy('media slots'),
} as const
