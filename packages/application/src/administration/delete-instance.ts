import { badParameters, notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Filter } from '@publishing-service/domain/filters'
import { withoutRole } from '@publishing-service/access'
import { confirmationFault, deletionDelay } from '@publishing-service/domain/roles'
import { portFailure, type Document } from '@publishing-service/ports'
import { instanceOf, isLiveInstance, StoredInstance } from '../access/stored-instance.js'
import { StoredUser, userIn } from '../access/stored-user.js'
import { attempt, fail, orThrow, unwrap } from '../attempt.js'
import { collections, systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { unrecorded, type Recorded } from '../recording.js'
import { contended, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { UpdateDocument, Target } from '../engine/update-document.js'
import type { Documents, Ports } from '../ports.js'
import type { StoreIdentity } from '../store-identity.js'
import { usersTarget, type AdministerUsers } from './administer-users.js'

export type DeletionRequest = {
  readonly number: number
  /** The title of the instance, which confirms the deletion. */
  readonly title: string
  /** Resolves after this number of milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>
}

/** What this run has removed. An earlier, interrupted run may have removed more. */
export type DeletedInstance = {
  readonly id: number
  readonly title: string
  readonly documents: number
  /** Keys of users that had roles on no other instance. */
  readonly keys: number
}

type Removed = { readonly documents: number; readonly keys: number }

const { audit, instances, keys, signInLinks, users, webhooks, webhookDeliveries, webhookWork } =
  systemCollections

/** The collections of the service itself that have documents of instances. */
const ofInstances = [webhooks, webhookWork, webhookDeliveries, audit]
const batchSize = 200
/** Consecutive rounds in which other writers prevent every removal. */
const maxConflictRounds = 20
/** Milliseconds for which a deleted instance is checked again for data written by requests that were running. */
const recheckPeriod = 86_400_000

const target: Target = {
  collection: instances.name,
  uniqueText: () => null,
}

type Marking = Pick<DeletionRequest, 'number' | 'title'> & {
  /** Throws why the instance with this value is not marked. */
  readonly check?: (value: JsonObject) => void
}

export type DeleteInstance = {
  /** Marks the instance. `finish` does the rest, in this process or in another. */
  readonly begin: (request: Marking, recorded?: Recorded<string>) => Outcome<void>
  /** Whether `finish` can now remove the data of an instance that `begin` has marked; then false until the next one. */
  readonly isFinishDue: () => boolean
  readonly run: (request: DeletionRequest, recorded?: Recorded<string>) => Outcome<DeletedInstance>
  /**
   * Continues interrupted deletions, removes data that running requests have written to instances deleted within the
   * last day, and returns the number of removed documents. Throws a Failure.
   */
  readonly finish: () => Promise<number>
}

/**
 * Deletes instances. A deletion first marks the instance. After `deletionNotice` no process serves requests for it;
 * then its data is removed. `run` and `finish` continue an interrupted deletion. The mark remains, so that the number
 * is never used again. `lenient` is a store that returns damaged documents.
 */
export const createDeleteInstance = (
  { documents, blobs, clock }: Pick<Ports, 'documents' | 'blobs' | 'clock'>,
  lenient: Documents,
  update: UpdateDocument,
  { isSame }: Pick<StoreIdentity, 'isSame'>,
  administerUsers: Pick<AdministerUsers, 'erase'>,
): DeleteInstance => {
  /** Fails if the blob store belongs to other documents, so that their blobs are not removed. */
  const checkBlobStore = async (): Promise<void> => {
    if (!(await orThrow(isSame()))) fail(portFailure('blob store', 'it does not belong to these documents'))
  }

  /** Removes a document; false if another process has written or removed it first. */
  const isRemoved = async (
    collection: string,
    instance: number,
    { id, version }: Document,
  ): Promise<boolean> => E.isRight(await documentsIn(documents, instance).remove(collection, id, version))

  /** Removes the documents that meet the filters and returns how many. */
  const removeAll = async (
    collection: string,
    instance: number,
    where: readonly Filter[],
  ): Promise<number> => {
    const query = { where, order: [], skip: 0, limit: batchSize, detail: 'light' } as const
    let removed = 0
    for (let conflictRounds = 0; conflictRounds < maxConflictRounds; conflictRounds += 1) {
      const { documents: found } = unwrap(await lenient.find(collection, instance, query)())
      if (found.length === 0) return removed
      const results = await Promise.all(found.map((each) => isRemoved(collection, instance, each)))
      const count = results.filter(Boolean).length
      removed += count
      if (count > 0) conflictRounds = 0
    }
    fail(contended)
  }

  /** Removes the roles on the instance, and users that had no others and are no operators, with their keys. */
  const removeRoles = async (number: number): Promise<number> => {
    // A damaged user has no readable roles, and its keys cannot be used.
    const usersWithRole: Document[] = []
    const hasRole = (user: Document): boolean =>
      StoredUser.is(user.value) && userIn(user).roles.some(({ instance }) => instance === number)
    const scan = { documents: documentsIn(lenient, systemInstance), collection: users.name, limit: batchSize }
    await forEachPage(scan, (page) => usersWithRole.push(...page.filter(hasRole)))
    let removed = 0
    for (const user of usersWithRole) {
      await removeAll(signInLinks.name, systemInstance, [{ key: 'user', equals: user.id }])
      const { operator, roles } = userIn(user)
      if (!operator && withoutRole(roles, number, null).length === 0) {
        removed += await removeAll(keys.name, systemInstance, [{ key: 'user', equals: user.id }])
        if (E.isRight(await administerUsers.erase(user))) continue
      }
      const changed = await attempt(() =>
        update(usersTarget, user.id, async (value) => ({
          ...value,
          roles: withoutRole(userIn({ id: user.id, value }).roles, number, null),
        })),
      )
      if (E.isLeft(changed) && changed.left._tag !== 'NotFound') fail(changed.left)
    }
    return removed
  }

  /** Removes all data of a marked instance. */
  const removeContents = async (number: number): Promise<Removed> => {
    const removedKeys = await removeRoles(number)
    // Before the documents, so that an interruption leaves no orphaned blobs.
    unwrap(await blobs.remove(String(number))())
    let removed = 0
    for (const { name } of collections) removed += await removeAll(name, number, [])
    for (const { name } of ofInstances)
      await removeAll(name, systemInstance, [{ key: 'instance', equals: number }])
    return { documents: removed, keys: removedKeys }
  }

  const markOf = (number: number, value: JsonObject): StoredInstance =>
    decodeStored(StoredInstance, { id: String(number), value })

  const markFinished = (number: number): Promise<unknown> =>
    update(target, String(number), async (value) => {
      const { deleted = null, finished = clock.now() } = markOf(number, value)
      return { number, deleted, finished }
    })

  /** Marks the instance, if the title confirms it: from now on it cannot be used. */
  const mark = async (
    { number, title, check = () => undefined }: Marking,
    recorded: Recorded<string>,
  ): Promise<void> => {
    const found = await orThrow(documents.get(instances.name, systemInstance, String(number)))
    const stored = found === null ? null : decodeStored(StoredInstance, found)
    if (stored === null || stored.finished !== undefined) fail(notFound)
    const fault = confirmationFault(instanceOf(number, stored).settings, title)
    if (fault !== null) fail(badParameters([fault]))
    await checkBlobStore()
    await update(
      target,
      String(number),
      async (value) => {
        check(value)
        return isLiveInstance(markOf(number, value)) ? { ...value, deleted: clock.now() } : value
      },
      (_value, write) => recorded(title, write),
    )
  }

  /** When `begin` last marked an instance whose data this process has not removed yet, or null. */
  let begun: number | null = null

  return {
    begin:
      (request, recorded = unrecorded.write) =>
      () =>
        attempt(async () => {
          await mark(request, recorded)
          begun = clock.now()
        }),
    isFinishDue: () => {
      const isDue = begun !== null && clock.now() - begun >= deletionDelay
      if (isDue) begun = null
      return isDue
    },
    run:
      ({ number, title, wait }, recorded = unrecorded.write) =>
      () =>
        attempt(async () => {
          await mark({ number, title }, recorded)
          const first = await removeContents(number)
          await wait(deletionDelay)
          const second = await removeContents(number)
          await markFinished(number)
          return {
            id: number,
            title,
            documents: first.documents + second.documents,
            keys: first.keys + second.keys,
          }
        }),
    finish: async () => {
      const marks: { readonly number: number; readonly isFinished: boolean }[] = []
      const now = clock.now()
      const system = documentsIn(documents, systemInstance)
      await forEachPage({ documents: system, collection: instances.name, limit: batchSize }, (page) => {
        for (const document of page) {
          const { number, deleted = null, finished } = decodeStored(StoredInstance, document)
          if (deleted === null || now - deleted < deletionDelay) continue
          const isFinished = finished !== undefined
          if (!isFinished || now - finished < recheckPeriod) marks.push({ number, isFinished })
        }
      })
      if (marks.length > 0) await checkBlobStore()
      let removed = 0
      for (const { number, isFinished } of marks) {
        removed += (await removeContents(number)).documents
        if (!isFinished) await markFinished(number)
      }
      return removed
    },
  }
}
