/**
 * Makes deliveries of what is in the feed of changes, and attempts those that are due (docs/behaviour/webhooks.md#deliveries).
 * One process of all those on a store does that. The place of a web hook in the feed is written with the deliveries that are
 * made of the changes before it, so that each change is made into one, and none is lost.
 */
import { E } from '@publishing-service/domain/fp'
import { utf8Length, type JsonObject } from '@publishing-service/domain/json'
import type { FeedPlace } from '@publishing-service/domain/changes'
import { utcTime } from '@publishing-service/domain/time'
import {
  afterAttempt,
  deliveryTime,
  hostOf,
  isSelected,
  isTooLongFailing,
  mayAttempt,
  nextAttempts,
  type Attempt,
  type DeliveryAnswer,
  type StoredDelivery,
} from '@publishing-service/domain/webhooks'
import {
  putDocument,
  isPortFailure,
  maxAppendedBytes,
  type Appended,
  type Document,
} from '@publishing-service/ports'
import { attempt, fail } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeBelow } from '../engine/remove-below.js'
import { createKeyedMutex } from '../keyed-mutex.js'
import type { Ports } from '../ports.js'
import { onWrite, type WriteCounters } from '../write-counters.js'
import type { ChangeSource } from './change-source.js'
import {
  bodyOf,
  deliveryIn,
  deliveryOf,
  jitterOf,
  placeIn,
  secretsOf,
  webhookIn,
  webhooksTarget,
  writeProgress,
  type Webhook,
} from './stored-webhooks.js'
import { createLease, leaseTime } from '../lease.js'
import type { WebhookParts } from './webhook-parts.js'

const { audit, webhooks, webhookDeliveries, webhookWork } = systemCollections

/** Pending deliveries that one query returns, and that are looked at of one web hook at a time. */
const pageSize = 100
const mostPending = 1000

/** Milliseconds between two looks at what other processes have written, and while there are no web hooks. */
const pollInterval = 500
const idleInterval = 30_000

/** Milliseconds for which the list of web hooks is used although another process may have changed it. */
const listAge = 2000

/** Milliseconds after which a place is written of which no delivery was made. */
const placeAge = 3_600_000

/** Milliseconds for which a web hook waits after a defect. */
const defectPause = 60_000

/** Leaves space for what a store adds. */
const appendedBytes = maxAppendedBytes / 2

/** Where a web hook is in the feed, and the document that has it; `version` is 0 if there is none. */
type Place = { readonly version: number; readonly place: FeedPlace; readonly written: number }

/** Makes deliveries and attempts them, in the steps that the process asks for. */
export class WebhookWorker {
  private readonly lease = createLease(this.parts.documents, this.ports.clock, this.ports.ids.uuid, 'lease')
  readonly #places = new Map<string, Place>()
  /** Web hooks that wait after a defect, until a time. */
  readonly #paused = new Map<string, number>()
  /** The attempts that run, by delivery. */
  readonly #running = new Map<string, { readonly of: Attempt; readonly task: Promise<void> }>()
  /** Whether the last attempt of a web hook has failed, of those that were attempted here. */
  readonly #lastFailed = new Map<string, boolean>()
  /** Web hooks with attempts that begin as soon as there are places; the one that has waited longest comes first. */
  readonly #waiting = new Map<string, Attempt>()
  /** Web hooks for which attempts are about to be begun. */
  readonly #filling = new Map<string, Attempt>()
  /** The looks for them that have not ended. */
  readonly #looks = new Set<Promise<void>>()
  readonly #oneAtATime = createKeyedMutex()
  private readonly hookWrites = this.writeCounters.of(systemInstance, webhooks.name)
  private readonly changeWrites = this.writeCounters.of(systemInstance, audit.name)
  #listed: { readonly hooks: readonly Webhook[]; readonly writes: number; readonly at: number } | null = null
  #wake = (): void => undefined
  #isStopped = false
  private readonly endHookWrites = onWrite(this.hookWrites, () => this.#wake())
  /** Ends listening to changes; null while there are no web hooks that they are of interest for. */
  #endChangeWrites: (() => void) | null = null

  constructor(
    private readonly ports: Pick<Ports, 'clock' | 'ids' | 'log' | 'metrics'>,
    private readonly parts: WebhookParts,
    private readonly readChanges: ChangeSource,
    private readonly writeCounters: WriteCounters,
  ) {}

  #listenToChanges(isOfInterest: boolean): void {
    if (isOfInterest) this.#endChangeWrites ??= onWrite(this.changeWrites, () => this.#wake())
    else {
      this.#endChangeWrites?.()
      this.#endChangeWrites = null
    }
  }

  async #activeHooks(): Promise<readonly Webhook[]> {
    const now = this.ports.clock.monotonic()
    const writes = this.hookWrites.value
    if (this.#listed !== null && this.#listed.writes === writes && now - this.#listed.at < listAge)
      return this.#listed.hooks
    const hooks: Webhook[] = []
    const where = [{ key: 'active', equals: true }]
    await forEachPage(
      { documents: this.parts.documents, collection: webhooks.name, where, limit: pageSize },
      (page) => hooks.push(...page.map(webhookIn)),
    )
    this.#listed = { hooks, writes, at: now }
    this.#listenToChanges(hooks.length > 0 && !this.#isStopped)
    return hooks
  }

  async #placeOf({ id, start }: Webhook): Promise<Place> {
    const known = this.#places.get(id)
    if (known !== undefined) return known
    const found = await this.parts.documents.get(webhookWork.name, id)
    const written = this.ports.clock.monotonic()
    return found === null
      ? { version: 0, place: start, written }
      : { version: found.version, place: placeIn(found), written }
  }

  /** Writes a place with deliveries; false if another process has written one. */
  async #writePlace(
    { id, instance }: Webhook,
    { version }: Place,
    place: FeedPlace,
    appended: readonly Appended[],
  ): Promise<boolean> {
    const document = { id, unique: null, value: { instance, place } }
    const written = await this.parts.documents.write(
      [putDocument(webhookWork.name, document, version === 0 ? null : { version }, this.ports.clock)],
      appended,
    )
    if (E.isLeft(written)) {
      this.#places.delete(id)
      return false
    }
    this.#places.set(id, { version: version + 1, place, written: this.ports.clock.monotonic() })
    return true
  }

  /** Makes deliveries of the next changes. Returns whether there may be more. */
  async #makeDeliveries(hook: Webhook): Promise<boolean> {
    const from = await this.#placeOf(hook)
    const { events, next, isEnd } = await this.readChanges(hook, from.place)
    const appended: Appended[] = []
    let bytes = 0
    let place = next
    let last = from.place
    for (const { event, after } of events) {
      if (isSelected(hook.events, event.event)) {
        const value = deliveryOf(hook, event, this.ports.clock.now())
        bytes += utf8Length(JSON.stringify(value))
        if (bytes > appendedBytes && appended.length > 0) {
          place = last
          break
        }
        const document = {
          id: this.ports.ids.uuid(),
          unique: null,
          position: this.ports.clock.position(),
          value,
        } as const
        appended.push({ collection: webhookDeliveries.name, instance: systemInstance, document })
      }
      last = after
    }
    const isOld = this.ports.clock.monotonic() - from.written >= placeAge
    if (appended.length > 0 || isOld) {
      if (!(await this.#writePlace(hook, from, place, appended))) return false
    } else this.#places.set(hook.id, { ...from, place })
    return !isEnd
  }

  /** What an answer says about the receiver; `value` is the present state of the web hook. */
  #afterAnswer(id: string, value: JsonObject, { failure }: DeliveryAnswer): JsonObject {
    const now = this.ports.clock.now()
    const { failing_since: since, active } = webhookIn({ id, value })
    if (failure === null) return { ...value, failing_since: null }
    const failing = { ...value, failing_since: since ?? now }
    const reason = failure === 'gone' ? 'gone' : isTooLongFailing(since ?? now, now) ? 'failing' : null
    if (reason === null || !active) return failing
    this.ports.log.write('warn', 'web hook switched off', { webhook: id, reason })
    return { ...failing, active: false, switched_off: reason }
  }

  /** Writes what an answer says about the receiver, if that is something new. */
  async #noteAnswer({ id, failing_since: since }: Webhook, answer: DeliveryAnswer): Promise<void> {
    if (answer.failure === null && since === null) return
    const noted = await attempt(() =>
      this.parts.update(webhooksTarget, id, async (value) => this.#afterAnswer(id, value, answer)),
    )
    if (E.isLeft(noted) && noted.left._tag !== 'NotFound') fail(noted.left)
  }

  async #deliver(hook: Webhook, document: Document, delivery: StoredDelivery): Promise<void> {
    const { id } = document
    const time = this.ports.clock.now()
    const { url } = hook
    if (delivery.attempts === 0)
      this.ports.metrics.observe('webhookLag', {}, Math.max(0, time - Date.parse(delivery.time)))
    const answer = await this.parts.sender.send({
      url,
      id,
      time,
      body: bodyOf(id, delivery),
      secrets: secretsOf(hook, time),
    })
    if (answer === null) return
    this.#lastFailed.set(hook.id, answer.failure !== null)
    // If a client has repeated it meanwhile, the result is not written, and it is delivered again.
    await writeProgress(
      this.parts.documents,
      document,
      afterAttempt(delivery, answer, this.ports.clock.now(), jitterOf(id)),
    )
    await this.#noteAnswer(hook, answer)
  }

  #report(error: unknown): void {
    if (isPortFailure(error))
      this.ports.log.write('warn', 'delivering failed', { part: error.part, reason: error.reason })
    else
      this.ports.log.write('error', 'defect', {
        reason: error instanceof Error ? error.stack : String(error),
      })
  }

  #attemptOf({ id, instance, url, failing_since: since }: Webhook): Attempt {
    return {
      hook: id,
      instance,
      host: hostOf(url),
      isFailing: this.#lastFailed.get(id) ?? since !== null,
    }
  }

  #runningAttempts(): readonly Attempt[] {
    return [...this.#running.values()].map(({ of }) => of)
  }

  #mayBegin(): boolean {
    return !this.#isStopped && this.lease.isHeld()
  }

  #begin(hook: Webhook, document: Document, delivery: StoredDelivery): void {
    const task = this.#deliver(hook, document, delivery)
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#running.delete(document.id)
        this.#waiting.set(hook.id, this.#attemptOf(hook))
        this.#fillNext()
      })
    this.#running.set(document.id, { of: this.#attemptOf(hook), task })
  }

  /**
   * Begins the attempts that are due. A delivery waits for those before it of the same object. Returns the milliseconds until
   * the next one is due.
   */
  async #beginDue(hook: Webhook): Promise<number> {
    const query = {
      where: [
        { key: 'hook', equals: hook.id },
        { key: 'state', equals: 'pending' },
      ],
      order: [{ key: 'sequence', direction: 'asc' }],
      skip: 0,
      limit: pageSize,
      detail: 'full',
    } as const
    const now = this.ports.clock.now()
    const held = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    // What runs before a read may have ended after it: the read does not know that.
    let before = new Set(this.#running.keys())
    let page = await this.parts.documents.find(webhookDeliveries.name, query)
    for (let looked = 0; ; looked += pageSize) {
      for (const document of page.documents) {
        const delivery = deliveryIn(document)
        const object = `${delivery.type}/${delivery.object}`
        if (held.has(object)) continue
        held.add(object)
        if (before.has(document.id) || this.#running.has(document.id)) continue
        if (delivery.due > now) next = Math.min(next, delivery.due - now)
        else if (this.#mayBegin() && mayAttempt(this.#runningAttempts(), this.#attemptOf(hook)))
          this.#begin(hook, document, delivery)
        else {
          this.#waiting.set(hook.id, this.#attemptOf(hook))
          return next
        }
      }
      if (page.next === null || looked >= mostPending) return next
      before = new Set(this.#running.keys())
      page = await this.parts.documents.find(webhookDeliveries.name, { ...query, after: page.next })
    }
  }

  /** The same, one look at a time for each web hook: a look does not know what another one has begun and ended meanwhile. */
  #beginNext(hook: Webhook): Promise<number> {
    return this.#oneAtATime(hook.id, () => this.#beginDue(hook))
  }

  /** Begins attempts of a web hook, whatever else is done meanwhile. */
  #fill(next: Attempt): void {
    const { hook: id } = next
    this.#waiting.delete(id)
    this.#filling.set(id, next)
    const begun = async (): Promise<void> => {
      const hook = (await this.#activeHooks()).find((each) => each.id === id)
      if (hook !== undefined && !this.#isStopped) await this.#beginNext(hook)
    }
    const look = begun()
      .catch((error) => this.#report(error))
      .finally(() => {
        this.#filling.delete(id)
        this.#looks.delete(look)
        this.#fillNext()
      })
    this.#looks.add(look)
  }

  /** Gives the places that are free to the web hooks that wait. */
  #fillNext(): void {
    if (!this.#mayBegin()) return
    const before = [...this.#runningAttempts(), ...this.#filling.values()]
    const others = [...this.#waiting.values()].filter(({ hook }) => !this.#filling.has(hook))
    for (const next of nextAttempts(before, others)) this.#fill(next)
  }

  async #serve(hook: Webhook): Promise<number> {
    const isMore = await this.#makeDeliveries(hook)
    const next = await this.#beginNext(hook)
    return isMore ? 0 : next
  }

  /** The same, unless it waits after a defect: one web hook does not hold others up. */
  async #serveUnlessPaused(hook: Webhook): Promise<number> {
    const now = this.ports.clock.monotonic()
    const until = this.#paused.get(hook.id) ?? now
    if (until > now) return until - now
    this.#paused.delete(hook.id)
    try {
      const served = await attempt(() => this.#serve(hook))
      if (E.isRight(served)) return served.right
      // The instance was deleted.
      if (served.left._tag === 'NotFound') return Number.POSITIVE_INFINITY
      fail(served.left)
    } catch (error) {
      if (isPortFailure(error)) throw error
      this.#report(error)
      this.#paused.set(hook.id, now + defectPause)
      return defectPause
    }
  }

  /** Makes deliveries, and begins attempts. Returns the milliseconds after which there is something to do again. */
  async step(): Promise<number> {
    if (this.#isStopped) return idleInterval
    const hooks = await this.#activeHooks()
    if (hooks.length === 0) return idleInterval
    if (!(await this.lease.hold())) {
      this.#places.clear()
      this.#waiting.clear()
      this.#lastFailed.clear()
      return leaseTime / 3
    }
    let next = pollInterval
    for (const hook of hooks) if (!this.#isStopped) next = Math.min(next, await this.#serveUnlessPaused(hook))
    return next
  }

  /** Calls a function when there is something to do before. */
  onWake(called: () => void): void {
    this.#wake = called
  }

  /** Begins nothing any more, and closes the sender: attempts that this ends are made again. Resolves when they have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.endHookWrites()
    this.#listenToChanges(false)
    await this.parts.sender.close()
    await Promise.all([...this.#running.values()].map(({ task }) => task))
    await Promise.all(this.#looks)
    await this.lease.release()
  }

  /** Removes deliveries that are older than 30 days, and returns their number. */
  expire(): Promise<number> {
    return removeBelow(this.parts.documents, webhookDeliveries.name, {
      key: 'created',
      below: utcTime(this.ports.clock.now() - deliveryTime),
    })
  }
}
