/** Comments of visitors (docs/behaviour/comments-and-links.md#visitors-comments). */
import { badParameters, comment, content, type Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { operations } from '@publishing-service/domain/roles'
import {
  commentOfVisitor,
  isTrapped,
  mostWaitingComments,
  replyFaults,
  visitorComment,
} from '@publishing-service/domain/content'
import { draftAttributes, partOf } from '@publishing-service/domain/engine'
import type { Selection } from '@publishing-service/ports'
import { attempt, fail } from '../attempt.js'
import { valueContextOf } from '../caller.js'
import { findVisible } from '../engine/read-one.js'
import { writeObject } from '../engine/write.js'
import type { WriteOperation } from '../operation.js'
import type { Session } from '../session.js'

const switchedOff: Problem = { _tag: 'Forbidden', reason: 'setting' }

/** Editors have to decide on some first. */
const tooManyWaiting: Problem = { _tag: 'TooManyRequests', retryAfter: 3600 }

const faultsOfReply = async (session: Session, contentId: string, id: string | null) => {
  if (id === null) return []
  const found = await attempt(() => findVisible(session, comment, id))
  if (E.isLeft(found) && found.left._tag !== 'NotFound') fail(found.left)
  return replyFaults(contentId, E.isLeft(found) ? null : found.right.value)
}

/** Whether no more comments may wait for an editor: on the instance, on the content object, or of who sends it without a token. */
const hasTooManyWaiting = async (
  { commentSenders, documents }: Session,
  content_uuid: string,
  address: string | null,
): Promise<boolean> => {
  const { ofInstance, onContent } = mostWaitingComments
  const waiting = { key: 'state', equals: 'draft' } as const
  const hasReached = async (most: number, where: Selection['where']): Promise<boolean> =>
    (await documents.count(comment.collection, { where }, most)) >= most
  return (
    (await hasReached(ofInstance, [waiting])) ||
    (await hasReached(onContent, [{ key: 'content_uuid', equals: content_uuid }, waiting])) ||
    (address !== null && (await commentSenders.hasTooMany(documents, address)))
  )
}

/** Creates the comment of a visitor as a draft. One that a program has sent is discarded. */
export const sendVisitorComment: WriteOperation<{ readonly id: string; readonly body: JsonObject }, void> = {
  ...operations.sendVisitorComment,
  changed: (_input, id) => (id === null ? null : { object: id }),
  run: async (session, { id, body }) => {
    await findVisible(session, content, id)
    if (!session.settings.public_comments) fail(switchedOff)
    const sent = { mode: 'put', input: body, previous: null, context: valueContextOf(session) } as const
    const { state, faults } = draftAttributes(visitorComment, sent)
    const written = partOf(visitorComment.attributes, state)
    const all = [...faults, ...(await faultsOfReply(session, id, written.reply_to))]
    if (all.length > 0) fail(badParameters(all))
    if (isTrapped(written)) {
      // The response does not say so. A person may have been taken for a program, so the log does.
      session.log.write('info', 'comment of a visitor discarded', {
        instance: session.instance.number,
        content: id,
      })
      return
    }
    const address = session.visitorAddress
    if (await hasTooManyWaiting(session, id, address)) fail(tooManyWaiting)
    const input = commentOfVisitor(id, written)
    const sentId = await writeObject(session, comment, { mode: 'put', id: null, input })
    if (address !== null) session.commentSenders.add(session.documents, address, sentId)
  },
}
