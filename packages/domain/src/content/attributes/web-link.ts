import { stored } from '../../resource/attribute.js'
import { record } from '../../value/record.js'
import { text, webAddress } from '../../value/text.js'

export const webLinkAttributes = {
  url: stored(webAddress, 'Where it leads.', { required: true }),
  link_text: stored(text({ max: 255 }), 'Text of the link.'),
} as const

/** A web address with a link text: buy URLs, ticket URLs. */
export const webLink = record(webLinkAttributes)
