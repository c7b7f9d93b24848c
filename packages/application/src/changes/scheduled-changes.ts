/**
 * What happens by the clock: objects go live, and listings begin and end. It is recorded when its time comes, as changes are,
 * so that it is in the feed (docs/behaviour/changes.md#by-the-clock). The document of an instance has the time until which
 * that is done; it is replaced in the write that appends the records, so that only one process records a change, and once.
 */
import type { Resource } from '@publishing-service/domain'
import {
  publicEffect,
  isTimeRecorded,
  timedResources,
  timeMark,
  type PublicEffect,
} from '@publishing-service/domain/changes'
import { objectName } from '@publishing-service/domain/engine'
import { E, t } from '@publishing-service/domain/fp'
import { clockTimeIn, instantAt, utcTime, type ClockTime } from '@publishing-service/domain/time'
import { putDocument, type Document } from '@publishing-service/ports'
import { instanceOf } from '../access/stored-instance.js'
import type { Audit, AuditSource } from '../audit/audit.js'
import { ChangeRecords, markedChangeIn } from '../audit/change-records.js'
import type { AuditChange } from '../recording.js'
import type { Instance } from '../caller.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { InstanceStore, InstanceStores } from '../instance-store.js'
import type { Ports } from '../ports.js'
import { settingsCounter } from '../write-counters.js'
import { liveInstances } from '../storage-copy/partitions.js'

const { schedules } = systemCollections
const id = 'schedule'
const operation = 'reachTime'

/**
 * What has happened until a time, in milliseconds, by the clock of a zone, is recorded, and the first ones of what happens from
 * then to another time, which is null between two runs.
 */
const StoredSchedule = t.readonly(
  t.type({ until: t.number, zone: t.string, to: t.union([t.number, t.null]), done: t.number }),
  schedules.name,
)
type StoredSchedule = t.TypeOf<typeof StoredSchedule>

/** Changes whose records are appended to one write. */
const recordsAtOnce = 50

/** Records of an object that are compared with a time. */
const mostRecords = 100

/** Milliseconds after which the next times are read again: other processes write objects too. */
const forgotten = 60_000

/** If so many milliseconds are not elapsed time, the clock was set. */
const noticed = 1000

/** Nobody makes these changes. */
const source: AuditSource = { user: null, name: 'clock', apiKey: null, address: null, request: 'clock' }

/** The first time is not part of it, the last one is. */
type Period = { readonly until: ClockTime; readonly to: ClockTime }

type Due = { readonly resource: Resource; readonly key: string; readonly object: string }

/** Records what happens by the clock, as changes. */
export class ScheduledChanges {
  private readonly system = this.stores.of(systemInstance, 'strict')
  private readonly settingsWrites = settingsCounter(this.stores.writeCounters)
  /** When all next times were read, in elapsed time, and how far the wall clock was ahead of that. */
  #readAt = Number.NEGATIVE_INFINITY
  #offset = 0
  /** The writes of settings before the instances were read. */
  #knownWrites = -1

  constructor(
    private readonly stores: InstanceStores,
    private readonly ports: Pick<Ports, 'clock' | 'documents'>,
    private readonly audit: Pick<Audit, 'recording'>,
  ) {}

  /** The objects that have reached a time in this period, in its order. */
  async #dueIn(own: InstanceStore, { until, to }: Period): Promise<readonly Due[]> {
    const due: Due[] = []
    for (const { resource, keys } of timedResources)
      for (const key of keys) {
        const where = [{ key, above: until, atMost: to }]
        const scan = { documents: own, collection: resource.collection, where, limit: 100 }
        await forEachPage({ ...scan, order: [{ key, direction: 'asc' }] }, (page) => {
          for (const { id: object } of page) due.push({ resource, key, object })
        })
      }
    return due
  }

  async #nextAfter(own: InstanceStore, now: ClockTime): Promise<string | null> {
    let next: string | null = null
    for (const { resource, keys } of timedResources)
      for (const key of keys) {
        const { documents: found } = await own.find(resource.collection, {
          where: [{ key, above: now }],
          order: [{ key, direction: 'asc' }],
          skip: 0,
          limit: 1,
          detail: 'light',
        })
        const time = found[0]?.value[key]
        if (typeof time === 'string' && (next === null || time < next)) next = time
      }
    return next
  }

  /** What the public has seen of the last changes of an object, up to one before a time: then it was reached once more. */
  async #effectsSince(
    records: ChangeRecords,
    { resource, object }: Due,
    { settings }: Instance,
    since: number,
  ): Promise<readonly (PublicEffect | null)[]> {
    const effects: (PublicEffect | null)[] = []
    for (const each of await records.lastOf(object, mostRecords)) {
      const change = markedChangeIn(each)
      if (change === null || change.resource !== resource) continue
      if (change.created < utcTime(since)) break
      effects.push(publicEffect(change, settings))
    }
    return effects
  }

  async #recordsOf(
    instance: Instance,
    own: InstanceStore,
    records: ChangeRecords,
    due: Due,
    { until, to }: Period,
  ): Promise<readonly AuditChange[]> {
    const { number, settings } = instance
    const { resource, key, object } = due
    // It may have changed since the objects that are due were read.
    const value = (await own.get(resource.collection, object))?.value
    const reached = value?.[key]
    if (value === undefined || typeof reached !== 'string' || reached <= until || reached > to) return []
    const mark = timeMark(resource, value, { since: until, now: to }, settings)
    if (mark === null) return []
    const time = instantAt(settings.timezone, reached.slice(reached.indexOf('~') + 1))
    if (!isTimeRecorded(mark.effect, await this.#effectsSince(records, due, instance, time))) return []
    const title = objectName(resource, value)
    return [{ instance: number, operation, collection: resource.collection, object, title, mark }]
  }

  /** Writes the schedule with these records, and returns its document; null if another process has written it. */
  async #write(
    own: InstanceStore,
    stored: Document | null,
    value: StoredSchedule,
    changes: readonly AuditChange[],
  ): Promise<Document | null> {
    const change = putDocument(schedules.name, { id, unique: null, value }, stored, this.ports.clock)
    const recording = this.audit.recording(source, (made: readonly AuditChange[]) => made)
    const written = await recording.write(changes, (appended) => own.write([change], appended))
    return E.isRight(written) ? (written.right[0] ?? null) : null
  }

  /** Records what has happened on an instance since it was done last, and returns how much. */
  async #recordDue(instance: Instance, own: InstanceStore, now: number): Promise<number> {
    const zone = instance.settings.timezone
    const stored = await own.get(schedules.name, id)
    const start = { until: now, zone, to: null, done: 0 }
    const {
      until,
      zone: former,
      to,
      done,
    } = stored === null ? start : decodeStored(StoredSchedule, stored, instance.number)
    const end = to ?? now
    const period = { until: clockTimeIn(former, until), to: clockTimeIn(zone, end) }
    // Where the clock or the zone was set back, times are reached again.
    if (stored === null || period.until > period.to) {
      await this.#write(own, stored, start, [])
      return 0
    }
    const due = await this.#dueIn(own, period)
    if (due.length === 0 && to === null && former === zone) return 0
    const records = new ChangeRecords(this.system, own, instance.number)
    let [recorded, last] = [0, stored]
    for (let from = done; ; from += recordsAtOnce) {
      const changes: AuditChange[] = []
      for (const each of due.slice(from, from + recordsAtOnce))
        changes.push(...(await this.#recordsOf(instance, own, records, each, period)))
      const isEnd = due.length <= from + recordsAtOnce
      const next = isEnd
        ? { ...start, until: end }
        : { until, zone: former, to: end, done: from + recordsAtOnce }
      const written = await this.#write(own, last, next, changes)
      if (written === null) return recorded
      recorded += changes.length
      if (isEnd) return recorded
      last = written
    }
  }

  /** Records what is due on an instance, and reads what is next. */
  async #visit(instance: Instance): Promise<number> {
    const { number, settings } = instance
    const own = this.stores.of(number, 'strict')
    const now = this.ports.clock.now()
    const time = clockTimeIn(settings.timezone, now)
    this.stores.schedule.begin(number, settings.timezone)
    const recorded = await this.#recordDue(instance, own, now)
    const next = await this.#nextAfter(own, time)
    if (next !== null) this.stores.schedule.note(number, next, now)
    return recorded
  }

  /** Records what has happened, and returns how much. Reads little while nothing is due. Throws a PortFailure. */
  async record(): Promise<number> {
    const now = this.ports.clock.now()
    const writes = this.settingsWrites.value
    const elapsed = this.ports.clock.monotonic()
    const isSet = Math.abs(now - elapsed - this.#offset) >= noticed
    const isOld = isSet || elapsed - this.#readAt >= forgotten
    const due = this.stores.schedule.due(now)
    if (!isOld && this.#knownWrites === writes && due.size === 0) return 0
    let recorded = 0
    for await (const stored of liveInstances(this.ports.documents)) {
      const instance = instanceOf(stored.number, stored)
      const { number, settings } = instance
      if (isOld || due.has(number) || !this.stores.schedule.knows(number, settings.timezone))
        recorded += await this.#visit(instance)
    }
    if (isOld) {
      this.#readAt = elapsed
      this.#offset = now - elapsed
    }
    this.#knownWrites = writes
    return recorded
  }
}
