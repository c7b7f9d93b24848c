import type { Count } from '../resource/view-context.js'

/** The key that says of a comment whether it is counted, and the text that counted ones have in it. */
export const countedUnder = 'counted'
export const publishedText = 'published'

/** The published comments on a content object, replies included. */
export const publishedComments: Count = {
  collection: 'comments',
  key: countedUnder,
  text: publishedText,
  within: 'content_uuid',
}
