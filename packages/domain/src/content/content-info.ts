import { pageAddress, publicPath } from '../path/public-path.js'
import { derived, stored } from '../resource/attribute.js'
import type { Shape } from '../resource/variant.js'
import { reference } from '../value/reference.js'
import { contentPath } from './content-path.js'

/** Additional information about a content object: the address of its page on the website. */
export const contentInfo: Shape = {
  attributes: {
    section_uuid: stored(reference('sections'), 'Section.', { internal: true }),
    public_url: derived(
      { type: 'string', format: 'uri' },
      'Address of the public page; null until the setting `website_url` is set.',
      (state, { settings: { website_url: website }, find }) =>
        website === null ? null : pageAddress(website, publicPath(contentPath, state, find)),
      { needs: ['section_uuid'], chain: 'parent_uuid', nullable: true },
    ),
  },
}
