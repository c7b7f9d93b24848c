/** Comments that visitors of a website send (docs/behaviour/comments-and-links.md#visitors-comments). */
import { fault, type Fault } from '../fault.js'
import type { JsonObject } from '../json.js'
import { stored, type StateOf } from '../resource/attribute.js'
import type { Shape } from '../resource/attribute-tables.js'
import { emailAddresses } from '../value/address.js'
import { text, uuid } from '../value/text.js'

/** What a visitor sends. */
export const visitorComment = {
  attributes: {
    comment: stored(text({ max: 5000, min: 1 }), 'Plain text.', { required: true }),
    creator: stored(text({ max: 120, min: 1 }), 'Name of the visitor.', { required: true }),
    email: stored(emailAddresses, 'E-mail address of the visitor; a public_user reads null.'),
    title: stored(text({ max: 255 }), 'Title.'),
    reply_to: stored(uuid, 'Published comment on the same content that it replies to.'),
    website: stored(
      text({ max: 2048 }),
      'A trap for programs that fill in every field: what is in a hidden field of the website, empty if a person writes. A comment that has it is discarded. Give the field of the form another name, because browsers fill in one named `website`.',
    ),
  },
  examples: { bodies: [{ comment: 'The last tram should run later.', creator: 'Ada' }] },
} as const satisfies Shape

export type VisitorComment = StateOf<typeof visitorComment.attributes>

/** Whether a program has filled in the field that visitors do not see. */
export const isTrapped = ({ website }: VisitorComment): boolean => website !== null && website.trim() !== ''

/**
 * The most comments of an instance that wait for an editor, so that visitors cannot fill its disk; those on one content object, so
 * that it does not close the others; and those of one sender, so that they close nothing for others.
 */
export const mostWaitingComments = { ofInstance: 1000, onContent: 200, ofSender: 100 } as const

/** Whether a comment waits for an editor. */
export const isWaiting = ({ state }: JsonObject): boolean => state === 'draft'

/** The faults of the comment that it replies to, of which `found` is what a public_user sees; null if it is not seen. */
export const replyFaults = (contentId: string, found: JsonObject | null): readonly Fault[] =>
  found?.['content_uuid'] === contentId
    ? []
    : [fault('reply_to', 'reference', 'names no published comment on this content')]

/** The comment that is created of what a visitor has sent: a draft. */
export const commentOfVisitor = (
  contentId: string,
  { comment, creator, email, title, reply_to }: VisitorComment,
): JsonObject => ({
  ...(reply_to === null
    ? { parent_type: 'content', parent_uuid: contentId }
    : { parent_type: 'comment', parent_uuid: reply_to }),
  comment,
  creator,
  email,
  title,
  state: 'draft',
})
