/**
 * A light load on a service whose clock is fast, with everything that the service does because time passes: what it publishes
 * and ends at a time, what it forgets, and what it repeats. It is judged by the times between which it was seen, never by how
 * long the machine takes.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { expectOk, objectsOf } from '../harness/expect-response.js'
import { runAdmin } from '../start-up/program.js'
import { createLifetimes, type Lifetimes } from './day-lifetimes.js'
import { day, DayPlace, hour, iso, minute, type DayOptions } from './day-place.js'
import { createRetention, type Retention } from './day-retention.js'
import { createSchedules, type Schedules } from './day-schedules.js'
import { deliveredOf } from './delivered-events.js'
import { waitFor } from './wait-for.js'

export type SimulatedDay = {
  /** What is wrong, in words. */
  readonly faults: readonly string[]
  /** How often each thing has happened. */
  readonly counts: Readonly<Record<string, number>>
}

/** What is done each so many hours. */
const renewal = 6 * hour

/** No preview is shorter. */
const shortestPreview = 60 * minute

const mebibytesOf = async (pid: number): Promise<number> =>
  Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

type Parts = {
  readonly place: DayPlace
  readonly schedules: Schedules
  readonly lifetimes: Lifetimes
  readonly retention: Retention
}

/** Looks at what changes slowly, once in each hour. */
const hourly = ({ place, retention }: Parts): (() => Promise<void>) => {
  const { from, onHour } = place.options
  const { looks, pending } = place.watches
  let done = 0
  return async () => {
    const passed = Math.floor((place.now().earliest - from) / hour)
    if (passed <= done) return
    done = passed
    const memory = await mebibytesOf(place.service.pid)
    place.counts['memory after an hour, MiB'] ??= memory
    place.counts['memory at the end, MiB'] = memory
    await retention.checkTrash()
    await retention.checkAudit()
    onHour(
      `hour ${passed}: ${looks.present + looks.absent} looks, ${pending()} pending, ` +
        `${place.counts['changes in the feed']} changes, ${memory} MiB, ${place.faults.length} faults`,
    )
  }
}

const passDay = async (parts: Parts): Promise<void> => {
  const { place, schedules, lifetimes, retention } = parts
  const { from, hours } = place.options
  const end = from + hours * hour
  const checkHour = hourly(parts)
  let rounds = 0
  let renewAt = from + renewal
  let plantAt = from + 2 * renewal
  await lifetimes.heartbeat()
  await schedules.preview()
  await lifetimes.leaveSessions()
  while (place.now().earliest < end || lifetimes.isWaiting()) {
    const began = performance.now()
    await lifetimes.heartbeat()
    if (place.now().latest < end - 20 * minute) {
      await schedules.plan()
      if (rounds % 10 === 1 && place.now().latest < end - shortestPreview) await schedules.preview()
    }
    await retention.change()
    await schedules.settleDraft()
    await lifetimes.useRate()
    await lifetimes.useSession()
    place.faults.push(...(await place.watches.look(place)))
    await place.readFeed()
    const { earliest } = place.now()
    if (earliest > renewAt) {
      renewAt += renewal
      await place.signIn()
      await lifetimes.leaveSessions()
    }
    // Garbage is collected ten minutes after the start, and a day later.
    if (earliest > plantAt) {
      plantAt += day
      await retention.expectNoOrphans()
      await retention.plantOrphan()
    }
    await checkHour()
    rounds += 1
    // The load is light.
    await wait(Math.max(0, 1000 - (performance.now() - began)))
  }
  place.counts['rounds'] = rounds
  const watched = async (): Promise<true | null> => {
    place.faults.push(...(await place.watches.look(place)))
    await schedules.settleDraft()
    return schedules.openDrafts() === 0 ? true : null
  }
  await waitFor('all drafts are published', watched)
  if (place.now().earliest > from + (hours > 12 ? day : 0) + 12 * minute + place.late)
    await retention.expectNoOrphans()
}

/** Compares what the web hook has delivered with the feed, for each object in its order. */
const compareDeliveries = async (place: DayPlace): Promise<void> => {
  const { received } = place.options.receiver
  await waitFor('each change is delivered', async () => {
    const delivered = deliveredOf(received)
    const isWhole = [...place.feed].every(([id, kinds]) => (delivered.get(id)?.length ?? 0) >= kinds.length)
    return isWhole ? true : null
  })
  const delivered = deliveredOf(received)
  for (const id of new Set([...place.feed.keys(), ...delivered.keys()])) {
    const [told, sent] = [place.feed, delivered].map((events) => events.get(id)?.join() ?? 'nothing')
    place.expect(told === sent, () => `${id}: the feed has ${told}, and the web hook has got ${sent}`)
  }
  place.counts['messages of the web hook'] = received.length
  place.counts['deliveries'] = new Set(received.map(({ headers }) => headers['webhook-id'])).size
}

/** What has to be in the log of a service that was started after the leap. */
const tasks = [
  'occurrences of events renewed',
  'deleted objects removed from the trash',
  'old audit entries removed',
  'expired tokens removed',
  'orphaned blobs deleted',
  'backup made',
]

/** Sets the clock forward while the service is stopped. An article and a draft become due meanwhile. */
const leap = async ({ place, lifetimes, retention }: Parts): Promise<void> => {
  const { receiver, leap: distance } = place.options
  const stopped = place.now().latest
  const due = iso(stopped + distance / 2)
  const [path, id] = place.newPath('content')
  await place.putArticle(path, { issued: due })
  const [draftPath, draftId] = place.newPath('content')
  await place.putArticle(draftPath)
  expectOk(await place.clients.admin.patch(`${draftPath}/draft`, { title: 'Two', publish_at: due }))
  place.titles.set(draftPath, 'Two')
  const before = await lifetimes.longest()
  place.expect(
    before.every(Boolean),
    () => `the session and the invitation before the leap: ${before.join()}`,
  )
  await place.stop()
  await retention.plantOrphan()
  await place.start(stopped + distance)
  const after = await lifetimes.longest()
  place.expect(!after.some(Boolean), () => `the session and the invitation after the leap: ${after.join()}`)
  const { status } = await place.clients.admin.get('/settings')
  place.expect(status === 401, () => `a token from before the leap gets ${status}`)
  await place.signIn()
  const { visitor } = place.clients
  expectOk(await visitor.get(path))
  const until = (what: string, isSo: () => Promise<boolean>): Promise<true> =>
    waitFor(what, async () => ((await isSo()) ? true : null))
  const titleOf = async () => expectOk(await visitor.get(draftPath)).object['title']
  await until('the draft is published', async () => (await titleOf()) === 'Two')
  await until('the trash is empty', async () => (await place.allRows('/trash?fields=uuid')).length === 0)
  for (const event of tasks)
    await until(`“${event}” is logged`, async () =>
      place.service.output().some((line) => line.includes(`"event":"${event}"`)),
    )
  await retention.expectNoOrphans()
  const sent = (of: string): string => deliveredOf(receiver.received).get(of)?.join() ?? ''
  await until(
    'what became due is delivered',
    async () => sent(id) !== '' && sent(draftId).includes('updated'),
  )
  place.expect(sent(id) === 'appeared', () => `the web hook has got ${sent(id)} of the article`)
  place.expect(
    sent(draftId) === 'appeared,updated',
    () => `the web hook has got ${sent(draftId)} of the draft`,
  )
  // Without a place, the feed begins with the oldest change that it has: the creations are too old.
  const told = objectsOf(await visitor.get('/changes?types=content'))
  for (const each of [id, draftId]) {
    const times = told.filter(({ uuid }) => uuid === each).length
    place.expect(times === 1, () => `the feed has ${times} changes of ${each} by the clock`)
  }
}

/** Runs the day. Resolves with what is wrong and how often each thing has happened. */
export const simulateDay = async (options: DayOptions): Promise<SimulatedDay> => {
  // What cannot be repeated is done at the speed of the machine.
  const place = await DayPlace.open(options)
  const lifetimes = await createLifetimes(place)
  const retention = await createRetention(place)
  const parts: Parts = { place, lifetimes, retention, schedules: createSchedules(place) }
  const [event] = place.newPath('content')
  const weekly = { dtstart: iso(options.from + day).slice(0, 19), rrule: { freq: 'WEEKLY' } }
  await place.putArticle(event, { content_type: 'event', ...weekly })
  await retention.change()
  await retention.plantOrphan()
  expectOk(await place.clients.admin.post('/webhooks', { url: options.receiver.url }))
  await place.readFeed()
  const began = place.now().latest
  await place.stop()
  await place.start(began)

  await passDay(parts)
  await place.readFeed()
  parts.schedules.checkFeed()
  await compareDeliveries(place)
  await place.compareObjects()
  await retention.checkBackups()
  await leap(parts)
  await place.compareObjects()
  await place.stop()

  const quarantined = place.counts['log: orphaned blobs quarantined'] ?? 0
  const planted = retention.orphans()
  place.expect(quarantined === planted, () => `${quarantined} uploads were orphaned instead of ${planted}`)
  const verified = await runAdmin({ DATA_DIR: options.folder.path }, 'storage', 'verify')
  place.expect(verified.code === 0, () => `the data of files is not whole: ${verified.out}${verified.error}`)
  const { present, absent } = place.watches.looks
  const looks = { 'looks at what was there': present, 'looks at what was not there': absent }
  return { faults: place.faults, counts: { ...place.counts, ...looks } }
}
