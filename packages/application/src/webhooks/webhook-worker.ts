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
} from '@publishing-service/domain/webhooks'
import { isPortFailure, maxAppendedBytes, type Appended, type Document } from '@publishing-service/ports'
import { attempt } from '../attempt.js'
import { systemCollections, systemInstance } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeBelow } from '../engine/remove-below.js'
import { createKeyedMutex } from '../keyed-mutex.js'
import type { Ports } from '../ports.js'
import { putDocument } from '../put-document.js'
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
  type StoredDelivery,
  type Webhook,
} from './stored-webhooks.js'
import { createLease, leaseTime } from './webhook-lease.js'
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

export type WebhookWorker = {
  /** Makes deliveries, and begins attempts. Returns the milliseconds after which there is something to do again. */
  readonly step: () => Promise<number>
  /** Calls a function when there is something to do before. */
  readonly onWake: (called: () => void) => void
  /** Begins nothing any more, and closes the sender: attempts that this ends are made again. Resolves when they have ended. */
  readonly stop: () => Promise<void>
  /** Removes deliveries that are older than 30 days, and returns their number. */
  readonly expire: () => Promise<number>
}

export const createWebhookWorker = (
  { clock, ids, log }: Pick<Ports, 'clock' | 'ids' | 'log'>,
  { documents, update, sender }: WebhookParts,
  readChanges: ChangeSource,
  writeCounters: WriteCounters,
): WebhookWorker => {
  const lease = createLease(documents, clock, ids.uuid)
  const places = new Map<string, Place>()
  /** Web hooks that wait after a defect, until a time. */
  const paused = new Map<string, number>()
  /** The attempts that run, by delivery. */
  const running = new Map<string, { readonly of: Attempt; readonly task: Promise<void> }>()
  /** Whether the last attempt of a web hook has failed, of those that were attempted here. */
  const lastFailed = new Map<string, boolean>()
  /** Web hooks with attempts that begin as soon as there are places; the one that has waited longest comes first. */
  const waiting = new Map<string, Attempt>()
  /** Web hooks for which attempts are about to be begun. */
  const filling = new Map<string, Attempt>()
  /** The looks for them that have not ended. */
  const looks = new Set<Promise<void>>()
  const oneAtATime = createKeyedMutex()
  const hookWrites = writeCounters.of(systemInstance, webhooks.name)
  const changeWrites = writeCounters.of(systemInstance, audit.name)
  let listed: { readonly hooks: readonly Webhook[]; readonly writes: number; readonly at: number } | null =
    null
  let wake = (): void => undefined
  let isStopped = false
  const endHookWrites = onWrite(hookWrites, () => wake())
  /** Ends listening to changes; null while there are no web hooks that they are of interest for. */
  let endChangeWrites: (() => void) | null = null

  const listenToChanges = (isOfInterest: boolean): void => {
    if (isOfInterest) endChangeWrites ??= onWrite(changeWrites, () => wake())
    else {
      endChangeWrites?.()
      endChangeWrites = null
    }
  }

  const activeHooks = async (): Promise<readonly Webhook[]> => {
    const now = clock.monotonic()
    const writes = hookWrites.value
    if (listed !== null && listed.writes === writes && now - listed.at < listAge) return listed.hooks
    const hooks: Webhook[] = []
    const where = [{ key: 'active', equals: true }]
    await forEachPage({ documents, collection: webhooks.name, where, limit: pageSize }, (page) =>
      hooks.push(...page.map(webhookIn)),
    )
    listed = { hooks, writes, at: now }
    listenToChanges(hooks.length > 0 && !isStopped)
    return hooks
  }

  const placeOf = async ({ id, start }: Webhook): Promise<Place> => {
    const known = places.get(id)
    if (known !== undefined) return known
    const found = await documents.get(webhookWork.name, id)
    const written = clock.monotonic()
    return found === null
      ? { version: 0, place: start, written }
      : { version: found.version, place: placeIn(found), written }
  }

  /** Writes a place with deliveries; false if another process has written one. */
  const writePlace = async (
    { id, instance }: Webhook,
    { version }: Place,
    place: FeedPlace,
    appended: readonly Appended[],
  ): Promise<boolean> => {
    const document = { id, unique: null, value: { instance, place } }
    const written = await documents.write(
      [putDocument(webhookWork.name, document, version === 0 ? null : { version }, clock)],
      appended,
    )
    if (E.isLeft(written)) {
      places.delete(id)
      return false
    }
    places.set(id, { version: version + 1, place, written: clock.monotonic() })
    return true
  }

  /** Makes deliveries of the next changes. Returns whether there may be more. */
  const makeDeliveries = async (hook: Webhook): Promise<boolean> => {
    const from = await placeOf(hook)
    const { events, next, isEnd } = await readChanges(hook, from.place)
    const appended: Appended[] = []
    let bytes = 0
    let place = next
    let last = from.place
    for (const { event, after } of events) {
      if (isSelected(hook.events, event.event)) {
        const value = deliveryOf(hook, event, clock.now())
        bytes += utf8Length(JSON.stringify(value))
        if (bytes > appendedBytes && appended.length > 0) {
          place = last
          break
        }
        const document = { id: ids.uuid(), unique: null, position: clock.position(), value } as const
        appended.push({ collection: webhookDeliveries.name, instance: systemInstance, document })
      }
      last = after
    }
    const isOld = clock.monotonic() - from.written >= placeAge
    if (appended.length > 0 || isOld) {
      if (!(await writePlace(hook, from, place, appended))) return false
    } else places.set(hook.id, { ...from, place })
    return !isEnd
  }

  /** What an answer says about the receiver; `value` is the present state of the web hook. */
  const afterAnswer = (id: string, value: JsonObject, { failure }: DeliveryAnswer): JsonObject => {
    const now = clock.now()
    const { failing_since: since, active } = webhookIn({ id, value })
    if (failure === null) return { ...value, failing_since: null }
    const failing = { ...value, failing_since: since ?? now }
    const reason = failure === 'gone' ? 'gone' : isTooLongFailing(since ?? now, now) ? 'failing' : null
    if (reason === null || !active) return failing
    log.write('warn', 'web hook switched off', { webhook: id, reason })
    return { ...failing, active: false, switched_off: reason }
  }

  /** Writes what an answer says about the receiver, if that is something new. */
  const noteAnswer = async ({ id, failing_since: since }: Webhook, answer: DeliveryAnswer): Promise<void> => {
    if (answer.failure === null && since === null) return
    const noted = await attempt(() =>
      update(webhooksTarget, id, async (value) => afterAnswer(id, value, answer)),
    )
    if (E.isLeft(noted) && noted.left._tag !== 'NotFound') throw noted.left
  }

  const deliver = async (hook: Webhook, document: Document, delivery: StoredDelivery): Promise<void> => {
    const { id } = document
    const time = clock.now()
    const { url } = hook
    const answer = await sender.send({
      url,
      id,
      time,
      body: bodyOf(id, delivery),
      secrets: secretsOf(hook, time),
    })
    if (answer === null) return
    lastFailed.set(hook.id, answer.failure !== null)
    // If a client has repeated it meanwhile, the result is not written, and it is delivered again.
    await writeProgress(documents, document, afterAttempt(delivery, answer, clock.now(), jitterOf(id)))
    await noteAnswer(hook, answer)
  }

  const report = (error: unknown): void => {
    if (isPortFailure(error))
      log.write('warn', 'delivering failed', { part: error.part, reason: error.reason })
    else log.write('error', 'defect', { reason: error instanceof Error ? error.stack : String(error) })
  }

  const attemptOf = ({ id, instance, url, failing_since: since }: Webhook): Attempt => ({
    hook: id,
    instance,
    host: hostOf(url),
    isFailing: lastFailed.get(id) ?? since !== null,
  })

  const runningAttempts = (): readonly Attempt[] => [...running.values()].map(({ of }) => of)

  const mayBegin = (): boolean => !isStopped && lease.isHeld()

  const begin = (hook: Webhook, document: Document, delivery: StoredDelivery): void => {
    const task = deliver(hook, document, delivery)
      .catch(report)
      .finally(() => {
        running.delete(document.id)
        waiting.set(hook.id, attemptOf(hook))
        fillNext()
      })
    running.set(document.id, { of: attemptOf(hook), task })
  }

  /**
   * Begins the attempts that are due. A delivery waits for those before it of the same object. Returns the milliseconds until
   * the next one is due.
   */
  const beginDue = async (hook: Webhook): Promise<number> => {
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
    const now = clock.now()
    const held = new Set<string>()
    let next = Number.POSITIVE_INFINITY
    // What runs before a read may have ended after it: the read does not know that.
    let before = new Set(running.keys())
    let page = await documents.find(webhookDeliveries.name, query)
    for (let looked = 0; ; looked += pageSize) {
      for (const document of page.documents) {
        const delivery = deliveryIn(document)
        const object = `${delivery.type}/${delivery.object}`
        if (held.has(object)) continue
        held.add(object)
        if (before.has(document.id) || running.has(document.id)) continue
        if (delivery.due > now) next = Math.min(next, delivery.due - now)
        else if (mayBegin() && mayAttempt(runningAttempts(), attemptOf(hook))) begin(hook, document, delivery)
        else {
          waiting.set(hook.id, attemptOf(hook))
          return next
        }
      }
      if (page.next === null || looked >= mostPending) return next
      before = new Set(running.keys())
      page = await documents.find(webhookDeliveries.name, { ...query, after: page.next })
    }
  }

  /** The same, one look at a time for each web hook: a look does not know what another one has begun and ended meanwhile. */
  const beginNext = (hook: Webhook): Promise<number> => oneAtATime(hook.id, () => beginDue(hook))

  /** Begins attempts of a web hook, whatever else is done meanwhile. */
  const fill = (next: Attempt): void => {
    const { hook: id } = next
    waiting.delete(id)
    filling.set(id, next)
    const begun = async (): Promise<void> => {
      const hook = (await activeHooks()).find((each) => each.id === id)
      if (hook !== undefined && !isStopped) await beginNext(hook)
    }
    const look = begun()
      .catch(report)
      .finally(() => {
        filling.delete(id)
        looks.delete(look)
        fillNext()
      })
    looks.add(look)
  }

  /** Gives the places that are free to the web hooks that wait. */
  const fillNext = (): void => {
    if (!mayBegin()) return
    const before = [...runningAttempts(), ...filling.values()]
    const others = [...waiting.values()].filter(({ hook }) => !filling.has(hook))
    for (const next of nextAttempts(before, others)) fill(next)
  }

  const serve = async (hook: Webhook): Promise<number> => {
    const isMore = await makeDeliveries(hook)
    const next = await beginNext(hook)
    return isMore ? 0 : next
  }

  /** The same, unless it waits after a defect: one web hook does not hold others up. */
  const serveUnlessPaused = async (hook: Webhook): Promise<number> => {
    const now = clock.monotonic()
    const until = paused.get(hook.id) ?? now
    if (until > now) return until - now
    paused.delete(hook.id)
    try {
      const served = await attempt(() => serve(hook))
      if (E.isRight(served)) return served.right
      // The instance was deleted.
      if (served.left._tag === 'NotFound') return Number.POSITIVE_INFINITY
      throw served.left
    } catch (error) {
      if (isPortFailure(error)) throw error
      report(error)
      paused.set(hook.id, now + defectPause)
      return defectPause
    }
  }

  const step = async (): Promise<number> => {
    if (isStopped) return idleInterval
    const hooks = await activeHooks()
    if (hooks.length === 0) return idleInterval
    if (!(await lease.hold())) {
      places.clear()
      waiting.clear()
      lastFailed.clear()
      return leaseTime / 3
    }
    let next = pollInterval
    for (const hook of hooks) if (!isStopped) next = Math.min(next, await serveUnlessPaused(hook))
    return next
  }

  return {
    step,
    onWake: (called) => {
      wake = called
    },
    stop: async () => {
      isStopped = true
      endHookWrites()
      listenToChanges(false)
      await sender.close()
      await Promise.all([...running.values()].map(({ task }) => task))
      await Promise.all(looks)
      await lease.release()
    },
    expire: () =>
      removeBelow(documents, webhookDeliveries.name, {
        key: 'created',
        below: utcTime(clock.now() - deliveryTime),
      }),
  }
}
