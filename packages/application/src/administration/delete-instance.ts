import { badParameters, notFound } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Filter } from '@publishing-service/domain/filters'
import { withoutRole } from '@publishing-service/access'
import { confirmationFault, deletionDelay } from '@publishing-service/domain/roles'
import { portFailure, type Document } from '@publishing-service/ports'
import { instanceOf, isDeletedInstance, StoredInstance } from '../access/stored-instance.js'
import { StoredUser, userIn } from '../access/stored-user.js'
import { attempt, fail, orThrow, unwrap } from '../attempt.js'
import { exportsFolder } from '../bundle/export-blobs.js'
import { collections, systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { unrecorded, type Recorded } from '../recording.js'
import { contended, type Outcome } from '../failure.js'
import { documentsIn } from '../instance-store.js'
import { forEachPage } from '../engine/for-each-page.js'
import { targetIn, type UpdateDocument } from '../engine/update-document.js'
import type { Documents, Ports } from '../ports.js'
import type { StoreIdentity } from '../store-identity.js'
import type { AdministerUsers } from './administer-users.js'

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

const {
  audit,
  exports,
  imports,
  importLines,
  instances,
  keys,
  signInLinks,
  users,
  webhooks,
  webhookDeliveries,
  webhookWork,
} = systemCollections

/** The collections of the service itself that have documents of instances. */
const ofInstances = [webhooks, webhookWork, webhookDeliveries, imports, importLines, exports, audit]
const batchSize = 200
/** Consecutive rounds in which other writers prevent every removal. */
const maxConflictRounds = 20
/** Milliseconds for which a deleted instance is checked again for data written by requests that were running. */
const recheckPeriod = 86_400_000

const target = targetIn(instances.name)

type Marking = Pick<DeletionRequest, 'number' | 'title'> & {
  /** Throws why the instance with this value is not marked. */
  readonly check?: (value: JsonObject) => void
}

/**
 * Deletes instances. A deletion first marks the instance. After `deletionDelay` no process serves requests for it;
 * then its data is removed. `run` and `finish` continue an interrupted deletion. The mark remains, so that the number
 * is never used again. `lenient` is a store that returns damaged documents.
 */
export class DeleteInstance {
  readonly #documents: Ports['documents']
  readonly #blobs: Ports['blobs']
  readonly #clock: Ports['clock']
  /** When `begin` last marked an instance whose data this process has not removed yet, or null. */
  #begun: number | null = null

  constructor(
    { documents, blobs, clock }: Pick<Ports, 'documents' | 'blobs' | 'clock'>,
    private readonly lenient: Documents,
    private readonly update: UpdateDocument,
    private readonly storeIdentity: Pick<StoreIdentity, 'isSame'>,
    private readonly administerUsers: Pick<AdministerUsers, 'leaveInstance'>,
  ) {
    this.#documents = documents
    this.#blobs = blobs
    this.#clock = clock
  }

  /** Marks the instance. `finish` does the rest, in this process or in another. */
  begin(request: Marking, recorded: Recorded<string> = unrecorded.write): Outcome<void> {
    return () =>
      attempt(async () => {
        await this.#mark(request, recorded)
        this.#begun = this.#clock.now()
      })
  }

  /** Whether `finish` can now remove the data of an instance that `begin` has marked; then false until the next one. */
  isFinishDue(): boolean {
    const isDue = this.#begun !== null && this.#clock.now() - this.#begun >= deletionDelay
    if (isDue) this.#begun = null
    return isDue
  }

  run(
    { number, title, wait }: DeletionRequest,
    recorded: Recorded<string> = unrecorded.write,
  ): Outcome<DeletedInstance> {
    return () =>
      attempt(async () => {
        await this.#mark({ number, title }, recorded)
        const first = await this.#removeContents(number)
        await wait(deletionDelay)
        const second = await this.#removeContents(number)
        await this.#markFinished(number)
        return {
          id: number,
          title,
          documents: first.documents + second.documents,
          keys: first.keys + second.keys,
        }
      })
  }

  /** Removes an instance that no process has served, such as one whose import has failed. Throws a Failure. */
  async discard(number: number): Promise<void> {
    await this.update(target, String(number), async (value) => ({ ...value, deleted: this.#clock.now() }))
    await this.#removeContents(number)
    await this.#markFinished(number)
  }

  /**
   * Continues interrupted deletions, removes data that running requests have written to instances deleted within the
   * last day, and returns the number of removed documents. Throws a Failure.
   */
  async finish(): Promise<number> {
    const marks: { readonly number: number; readonly isFinished: boolean }[] = []
    const now = this.#clock.now()
    const system = documentsIn(this.#documents, systemInstance)
    await forEachPage({ documents: system, collection: instances.name, limit: batchSize }, (page) => {
      for (const document of page) {
        const { number, deleted = null, finished } = decodeStored(StoredInstance, document)
        if (deleted === null || now - deleted < deletionDelay) continue
        const isFinished = finished !== undefined
        if (!isFinished || now - finished < recheckPeriod) marks.push({ number, isFinished })
      }
    })
    if (marks.length > 0) await this.#checkBlobStore()
    let removed = 0
    for (const { number, isFinished } of marks) {
      removed += (await this.#removeContents(number)).documents
      if (!isFinished) await this.#markFinished(number)
    }
    return removed
  }

  /** Fails if the blob store belongs to other documents, so that their blobs are not removed. */
  async #checkBlobStore(): Promise<void> {
    if (!(await orThrow(this.storeIdentity.isSame())))
      fail(portFailure('blob store', 'it does not belong to these documents'))
  }

  /** Removes a document; false if another process has written or removed it first. */
  async #isRemoved(collection: string, instance: number, { id, version }: Document): Promise<boolean> {
    return E.isRight(await documentsIn(this.#documents, instance).remove(collection, id, version))
  }

  /** Removes the documents that meet the filters and returns how many. */
  async #removeAll(collection: string, instance: number, where: readonly Filter[]): Promise<number> {
    const query = { where, order: [], skip: 0, limit: batchSize, detail: 'light' } as const
    let removed = 0
    for (let conflictRounds = 0; conflictRounds < maxConflictRounds; conflictRounds += 1) {
      const { documents: found } = unwrap(await this.lenient.find(collection, instance, query)())
      if (found.length === 0) return removed
      const results = await Promise.all(found.map((each) => this.#isRemoved(collection, instance, each)))
      const count = results.filter(Boolean).length
      removed += count
      if (count > 0) conflictRounds = 0
    }
    fail(contended)
  }

  /** Removes the roles on the instance, and users that had no others and are no operators, with their keys. */
  async #removeRoles(number: number): Promise<number> {
    // A damaged user has no readable roles, and its keys cannot be used.
    const usersWithRole: Document[] = []
    const hasRole = (user: Document): boolean =>
      StoredUser.is(user.value) && userIn(user).roles.some(({ instance }) => instance === number)
    const scan = {
      documents: documentsIn(this.lenient, systemInstance),
      collection: users.name,
      limit: batchSize,
    }
    await forEachPage(scan, (page) => usersWithRole.push(...page.filter(hasRole)))
    let removed = 0
    for (const user of usersWithRole) {
      await this.#removeAll(signInLinks.name, systemInstance, [{ key: 'user', equals: user.id }])
      const { operator, roles } = userIn(user)
      if (!operator && withoutRole(roles, number, null).length === 0)
        removed += await this.#removeAll(keys.name, systemInstance, [{ key: 'user', equals: user.id }])
      await this.administerUsers.leaveInstance(user.id, number)
    }
    return removed
  }

  /** Removes all data of a marked instance. */
  async #removeContents(number: number): Promise<Removed> {
    const removedKeys = await this.#removeRoles(number)
    // Before the documents, so that an interruption leaves no orphaned blobs.
    unwrap(await this.#blobs.remove(String(number))())
    unwrap(await this.#blobs.remove(exportsFolder(number))())
    let removed = 0
    for (const { name } of collections) removed += await this.#removeAll(name, number, [])
    for (const { name } of ofInstances)
      await this.#removeAll(name, systemInstance, [{ key: 'instance', equals: number }])
    return { documents: removed, keys: removedKeys }
  }

  #markOf(number: number, value: JsonObject): StoredInstance {
    return decodeStored(StoredInstance, { id: String(number), value })
  }

  #markFinished(number: number): Promise<unknown> {
    return this.update(target, String(number), async (value) => {
      const { deleted = null, finished = this.#clock.now() } = this.#markOf(number, value)
      return { number, deleted, finished }
    })
  }

  /** Marks the instance, if the title confirms it: from now on it cannot be used. */
  async #mark(
    { number, title, check = () => undefined }: Marking,
    recorded: Recorded<string>,
  ): Promise<void> {
    const found = await orThrow(this.#documents.get(instances.name, systemInstance, String(number)))
    const stored = found === null ? null : decodeStored(StoredInstance, found)
    if (stored === null || stored.finished !== undefined) fail(notFound)
    const fault = confirmationFault(instanceOf(number, stored).settings, title)
    if (fault !== null) fail(badParameters([fault]))
    await this.#checkBlobStore()
    await this.update(
      target,
      String(number),
      async (value) => {
        check(value)
        return isDeletedInstance(this.#markOf(number, value))
          ? value
          : { ...value, deleted: this.#clock.now() }
      },
      (_value, write) => recorded(title, write),
    )
  }
}
