import type { Count } from '../resource/view-context.js'

/** The key of comments for the group count, and its text in comments that are counted. */
export const countedUnder = 'counted'
export const publishedText = 'published'

/** The published comments on a content object, replies included. */
export const publishedComments: Count = {
  collection: 'comments',
  key: countedUnder,
  text: publishedText,
  within: 'content_uuid',
}
