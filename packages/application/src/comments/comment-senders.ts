/** Who has sent comments that wait for an editor, in the memory of a process (docs/behaviour/comments-and-links.md#visitors-comments). */
import { clientNetworks } from '@publishing-service/access'
import { comment } from '@publishing-service/domain'
import { isWaiting, mostWaitingComments } from '@publishing-service/domain/content'
import { unreadable } from '@publishing-service/ports'
import { LRUCache } from 'lru-cache'
import type { InstanceDocuments } from '../instance-store.js'

/** Ids of comments that are remembered, over all senders. */
const maxIds = 100_000

type Store = Pick<InstanceDocuments, 'getMany'> & { readonly instance: number }

export type CommentSenders = {
  /** Whether as many comments of a network of an address wait on an instance as may wait. Throws a PortFailure. */
  readonly hasTooMany: (documents: Store, address: string) => Promise<boolean>
  /** Counts a comment for an address. */
  readonly add: (documents: Pick<Store, 'instance'>, address: string, id: string) => void
}

export const createCommentSenders = (): CommentSenders => {
  const sent = new LRUCache<string, readonly string[]>({
    maxSize: maxIds,
    sizeCalculation: (ids) => ids.length,
  })
  const namesOf = ({ instance }: Pick<Store, 'instance'>, address: string): readonly string[] =>
    clientNetworks(address).map(({ name }) => `${instance} ${name}`)

  return {
    hasTooMany: async (documents, address) => {
      for (const name of namesOf(documents, address)) {
        const ids = sent.get(name) ?? []
        if (ids.length < mostWaitingComments.ofSender) continue
        const found = await documents.getMany(comment.collection, ids, 'full')
        const waitingIds = new Set(
          found.flatMap(({ id, value }) => (value !== unreadable && isWaiting(value) ? [id] : [])),
        )
        const decided = new Set(ids.filter((id) => !waitingIds.has(id)))
        // Others may have been sent meanwhile.
        const waiting = (sent.get(name) ?? []).filter((id) => !decided.has(id))
        if (waiting.length === 0) sent.delete(name)
        else sent.set(name, waiting)
        if (waiting.length >= mostWaitingComments.ofSender) return true
      }
      return false
    },
    add: (documents, address, id) => {
      for (const name of namesOf(documents, address)) sent.set(name, [...(sent.get(name) ?? []), id])
    },
  }
}
