import type { Json, JsonObject } from '../../json.js'
import { derived, type DerivedAttribute } from '../../resource/attribute.js'
import { downloadUrl } from '../../resource/image-attributes.js'
import type { View } from '../../resource/view-context.js'

type Read = (state: JsonObject, view: View) => Json

const legacy = (
  description: string,
  instead: string,
  read: Read = () => null,
  needs: readonly string[] = [],
): DerivedAttribute =>
  derived({ type: 'string' }, description, read, {
    deprecated: `Since release 2.9; use ${instead}.`,
    nullable: true,
    needs,
  })

/** The download address of one of the content's images. */
const imageAt = (uuidName: string, instead: string): DerivedAttribute =>
  legacy(`The same as ${instead}.`, instead, (state, view) => downloadUrl(view, state[uuidName]), [uuidName])

/** What the header image's own metadata say of it. */
const headerText = (name: string, what: string): DerivedAttribute =>
  legacy(
    `${what} of the header image: the ${name} of its file.`,
    `the ${name} of the header image`,
    (state, view) => {
      const id = state['header_image_uuid']
      return (typeof id === 'string' ? view.find('files', id)?.[name] : null) ?? null
    },
    ['header_image_uuid'],
  )

const empty = 'For clients of old releases: always null.'

/** Attributes of old releases that clients expect on every content object (decisions §7, §16.3, §16.4). */
export const legacyAttributes = {
  feature_image_url: imageAt('header_image_uuid', 'header_image_url'),
  feature_image_caption: headerText('description', 'Caption'),
  feature_image_alttext: headerText('title', 'Text in place'),
  feature_thumb_url: imageAt('teaser_image_uuid', 'teaser_image_url'),
  slideshow_uuid: legacy(empty, 'media slots'),
  video_uuid: legacy(empty, 'media slots'),
} as const
