import { fileTextAttributes } from '../../file/file-data.js'
import type { Json } from '../../json.js'
import { derived } from '../../resource/attribute.js'
import { downloadUrl } from '../../resource/image-attributes.js'
import { attributeIn } from '../../resource/table-entries.js'
import type { ViewContext } from '../../resource/view-context.js'

const legacy = <S, N extends string = never>(
  description: string,
  instead: string,
  read: (state: S, view: ViewContext) => Json = () => null,
  needs: readonly N[] = [],
) =>
  derived({ type: 'string' }, description, read, {
    deprecated: `Since release 2.9; use ${instead}.`,
    nullable: true,
    needs,
  })

/** The download address of one of the content's images. */
const imageAt = <N extends string>(uuidName: N, instead: string) =>
  legacy(
    `The same as ${instead}.`,
    instead,
    (state: Readonly<Record<N, string | null>>, view) => downloadUrl(view, state[uuidName]),
    [uuidName],
  )

/** An attribute of the file of the header image. */
const headerText = (name: 'title' | 'description', what: string) =>
  legacy(
    `${what} of the header image: the ${name} of its file.`,
    `the ${name} of the header image`,
    ({ header_image_uuid: id }: { readonly header_image_uuid: string | null }, { find }) =>
      attributeIn(fileTextAttributes, name, typeof id === 'string' ? find('files', id) : undefined),
    ['header_image_uuid'],
  )

const empty = 'Always null, for clients of old releases.'

/**
 * Attributes of old releases that clients expect on every content object
 * (docs/behaviour/deprecated.md#null-attributes, docs/behaviour/deprecated.md#feature-attributes).
 */
export const legacyAttributes = {
  feature_image_url: imageAt('header_image_uuid', 'header_image_url'),
  feature_image_caption: headerText('description', 'Caption'),
  feature_image_alttext: headerText('title', 'Text in place'),
  feature_thumb_url: imageAt('teaser_image_uuid', 'teaser_image_url'),
  slideshow_uuid: legacy(empty, 'media slots'),
  video_uuid: legacy(empty, 'media slots'),
} as const
