/** Comments of a post, those that are replied to before the replies. */
import { maxCommentDepth } from '@publishing-service/domain/content'
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { derivedUuid } from '../derived-uuid.js'
import { plainLine, plainText, shortened } from '../plain-text.js'
import { commentOf, timeOf, type WxrComment, type WxrItem } from './wxr.js'

type TakenComment = {
  readonly comment: WxrComment
  readonly line: number
  /** The id of the comment that it replies to; null for one about the post. */
  readonly parent: string | null
}

export type TakenComments = {
  readonly taken: readonly TakenComment[]
  /** How many are left out, by the reason. */
  readonly leftOut: ReadonlyMap<string, number>
}

const reasonToLeaveOut = ({ approved, type, text }: WxrComment): string | null => {
  if (type === 'pingback' || type === 'trackback') return 'links from other websites'
  if (approved === 'spam') return 'spam'
  if (approved === 'trash' || approved === 'post-trashed') return 'in the trash'
  return text.trim() === '' ? 'without text' : null
}

/** The ids from one that is not yet placed up to one that is, or that is about the post; that one is the first. */
const pathTo = (
  id: string,
  all: ReadonlyMap<string, { readonly comment: WxrComment }>,
  isPlaced: (id: string) => boolean,
): readonly string[] => {
  // A comment that is above itself ends the path.
  const path = new Set<string>()
  let found = all.get(id)
  while (found !== undefined && !isPlaced(found.comment.id) && !path.has(found.comment.id)) {
    path.add(found.comment.id)
    found = all.get(found.comment.parent)
  }
  return [...path].toReversed()
}

/** The comments that are taken over. A reply to one that is not is a reply to the one above it. */
export const takenComments = (item: WxrItem): TakenComments => {
  const leftOut = new Map<string, number>()
  const all = new Map<
    string,
    { readonly comment: WxrComment; readonly line: number; readonly isTaken: boolean }
  >()
  for (const element of item.comments) {
    const comment = commentOf(element)
    const reason = reasonToLeaveOut(comment)
    if (reason !== null) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1)
    all.set(comment.id, { comment, line: element.line, isTaken: reason === null })
  }
  const depths = new Map<string, number>()
  /** What replies to a comment are about: the comment, or one above it. */
  const targets = new Map<string, string | null>()
  const taken: TakenComment[] = []
  for (const id of all.keys())
    for (const each of pathTo(id, all, (other) => targets.has(other))) {
      const found = all.get(each)
      if (found === undefined) continue
      const { comment, line, isTaken } = found
      const parent = targets.get(comment.parent) ?? null
      const depth = parent === null ? 1 : (depths.get(parent) ?? 0) + 1
      targets.set(each, isTaken && depth < maxCommentDepth ? each : parent)
      if (!isTaken) continue
      depths.set(each, depth)
      taken.push({ comment, line, parent })
    }
  return { taken, leftOut }
}

const longestText = 10_000
const longestName = 255

/** The records of the comments that are taken over. */
export const commentRecords = (
  site: string,
  contentId: string,
  { taken }: TakenComments,
): readonly ImportRecord[] => {
  const uuidOf = (id: string): string => derivedUuid(site, 'comment', id)
  return taken.map(({ comment, line, parent }) => {
    const text = plainText(comment.text, { hasTextLines: true })
    const isCut = text.length > longestText && [...text].length > longestText
    const creator = shortened(plainLine(comment.author), longestName)
    const created = timeOf(comment.date, comment.dateGmt)
    return importRecord({
      origin: { source: `comment ${comment.id}`, title: creator, line },
      notes: isCut ? [fileNote('comment', `the comment is cut after ${longestText} characters`, line)] : [],
      object: importedObject({
        collection: 'comments',
        id: uuidOf(comment.id),
        attributes: {
          parent_type: parent === null ? 'content' : 'comment',
          parent_uuid: parent === null ? contentId : uuidOf(parent),
          comment: shortened(text, longestText) || '—',
          ...(creator === '' ? {} : { creator }),
          ...(comment.email === '' ? {} : { email: comment.email }),
          ...(created === null ? {} : { created }),
          state: comment.approved === '1' || comment.approved === 'approved' ? 'published' : 'draft',
        },
      }),
    })
  })
}
