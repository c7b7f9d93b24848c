/** Publishes drafts at their times (docs/behaviour/drafts.md#time-of-publication). */
import { resourceOf, type AnyProblem, type ProblemTag, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { missedBecause, publicationOf, withMissed } from '@publishing-service/domain/engine'
import { clockTimeIn } from '@publishing-service/domain/time'
import { isPortFailure, type PortFailure } from '@publishing-service/ports'
import { requestOfUser } from '../access/request-of-user.js'
import { instanceOf } from '../access/stored-instance.js'
import { attempt } from '../attempt.js'
import { systemInstance } from '../collections.js'
import type { AnyFailure } from '../failure.js'
import type { InstanceStore, InstanceStores } from '../instance-store.js'
import type { Sessions } from '../open-session.js'
import type { Ports } from '../ports.js'
import { liveInstances } from '../storage-copy/partitions.js'
import { publishDraft } from './drafts.js'
import { draftRemoval, findDraft, objectsWithDueDrafts, storeDraft } from './stored-drafts.js'

type Tagged<T extends AnyFailure['_tag']> = Extract<AnyFailure, { readonly _tag: T }>

/** Whether another attempt can succeed although nobody changes the draft or its object. */
const isPassing = (failure: AnyFailure): failure is PortFailure | Tagged<'Unavailable'> =>
  isPortFailure(failure) || failure._tag === 'Unavailable'

/** Why a draft was not published, for the log. */
const reasonOf = (failure: AnyFailure): string => {
  if (isPortFailure(failure)) return failure._tag
  const { reason, attributes } = missedBecause(failure)
  const what = reason === 'refused' ? failure._tag : reason
  return attributes.length === 0 ? what : `${what}: ${attributes.join(', ')}`
}

/** The draft of an object has missed its publication, unless it has another time by now. */
const noteMissed = async (
  documents: InstanceStore,
  resource: Resource,
  id: string,
  at: string,
  problem: AnyProblem,
  clock: Pick<Ports['clock'], 'position'>,
): Promise<void> => {
  const object = await documents.get(resource.collection, id)
  const found = object === null ? null : await findDraft(documents, resource, object)
  if (object === null || found === null || found.draft === null) return
  if (publicationOf(found.draft)?.at !== at) return
  await storeDraft(documents, resource, object, withMissed(found.draft, problem), found, clock)
}

/**
 * Publishes the drafts of all instances that are due, each as the API user that has set its time, and returns their number.
 * One that is refused has no time any more; the draft and the log say why. Throws a PortFailure if a store fails, and the first defect
 * after the others are published.
 */
export const createPublishDueDrafts = (
  { clock, documents: all, ids, log }: Pick<Ports, 'clock' | 'documents' | 'ids' | 'log'>,
  stores: Pick<InstanceStores, 'of'>,
  sessions: Pick<Sessions, 'open'>,
) => {
  const system = stores.of(systemInstance, 'strict')

  /** Whether a draft that is due is published. */
  const publish = async (documents: InstanceStore, resource: Resource, id: string): Promise<boolean> => {
    const object = await documents.get(resource.collection, id)
    const found = object === null ? null : await findDraft(documents, resource, object)
    if (found === null || found.draft === null) {
      // It is one of a former object.
      const removal = await draftRemoval({ documents }, { resource, id })
      if (removal.length > 0) await documents.write(removal, [])
      return false
    }
    const due = publicationOf(found.draft)
    if (due === null) return false
    const { instance } = documents
    const request = await requestOfUser({ documents: system, ids }, instance, due.by)
    const operation = publishDraft(resource)
    const published = await attempt<void, ProblemTag>(async (failWith) => {
      if (request === null) return failWith({ _tag: 'Forbidden', reason: 'role' })
      const { run } = await sessions.open(operation, request)
      await run({ id })
    })
    if (E.isRight(published)) return true
    const failure = published.left
    // Somebody else has published or dropped it.
    if (failure._tag === 'NotFound') return false
    const reason = reasonOf(failure)
    log.write('warn', 'draft not published at its time', { object: id, instance, user: due.by, reason })
    if (!isPassing(failure)) await noteMissed(documents, resource, id, due.at, failure, clock)
    return false
  }

  return async (): Promise<number> => {
    let published = 0
    const defects: unknown[] = []
    const publishUnlessDefective = async (...draft: Parameters<typeof publish>): Promise<void> => {
      try {
        if (await publish(...draft)) published += 1
      } catch (error) {
        if (isPortFailure(error)) throw error
        defects.push(error)
      }
    }
    for await (const stored of liveInstances(all)) {
      const { number } = stored
      const documents = stores.of(number, 'strict')
      const now = clockTimeIn(instanceOf(number, stored).settings.timezone, clock.now())
      for (const { collection, id } of await objectsWithDueDrafts(documents, now)) {
        const resource = resourceOf(collection)
        if (resource !== undefined) await publishUnlessDefective(documents, resource, id)
      }
    }
    if (defects.length > 0) throw defects[0]
    return published
  }
}
