/** Comments of an export that has them. The usual export has none. */
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { derivedUuid } from '../derived-uuid.js'
import { plainText, shortened } from '../plain-text.js'
import { present } from '../present.js'
import type { GhostExport } from './ghost-export.js'
import { postUuid } from './ghost-post.js'

const commentUuid = (site: string, id: string): string => derivedUuid(site, 'comment', id)

/** Comments with the names of their authors, the oldest first, so that replies come after what they reply to. */
export const commentRecords = (
  { comments, members, posts }: Pick<GhostExport, 'comments' | 'members' | 'posts'>,
  site: string,
): readonly ImportRecord[] => {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const postIds = new Set(posts.map(({ id }) => id))
  const taken = new Set<string>()
  return comments
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
    .map((comment): ImportRecord => {
      const text = plainText(comment.html)
      const origin = { source: `comment ${comment.id}`, title: shortened(text, 60), line: null }
      const leftOut = (reason: string): ImportRecord =>
        importRecord({ origin, notes: [fileNote('comment', `not taken over: ${reason}`)] })
      if (comment.status === 'deleted' || text === '') return leftOut('it was deleted, or has no text')
      if (!postIds.has(comment.post_id)) return leftOut('its post is not in the export')
      const isReply = taken.has(comment.parent_id)
      taken.add(comment.id)
      const object = importedObject({
        collection: 'comments',
        id: commentUuid(site, comment.id),
        attributes: present({
          parent_type: isReply ? 'comment' : 'content',
          parent_uuid: isReply ? commentUuid(site, comment.parent_id) : postUuid(site, comment.post_id),
          comment: shortened(text, 10_000),
          creator: names.get(comment.member_id) ?? '',
          state: comment.status === 'published' ? 'published' : 'draft',
          created: comment.created_at,
        }),
      })
      return importRecord({ origin, object })
    })
}
