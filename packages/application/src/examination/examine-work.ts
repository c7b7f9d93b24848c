/** What the service does by itself, as far as the store tells it: web hooks, jobs and mail. Reads only. */
import { isSelected } from '@publishing-service/domain/webhooks'
import type { Clock, Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { forEachPage } from '../engine/for-each-page.js'
import type { InstanceDocuments } from '../instance-store.js'
import { leaseTime, type Work } from '../lease.js'
import type { ChangeSource } from '../webhooks/change-source.js'
import { deliveryIn, placeIn, webhookIn, type Webhook } from '../webhooks/stored-webhooks.js'

/** A web hook that is not switched off. Times are in milliseconds since 1970. */
export type ExaminedHook = {
  readonly id: string
  readonly instance: number
  /** Since when attempts have failed; null if the last one has not. */
  readonly failingSince: number | null
  /** When the earliest change was made that was not delivered; null if there is none. */
  readonly waitingSince: number | null
}

/** The jobs of a kind that have not ended. */
export type ExaminedJobs = {
  readonly kind: 'imports' | 'exports'
  readonly open: number
  /** Whether a process works on them; true if there are none. */
  readonly isWorkedOn: boolean
}

export type ExaminedWork = {
  readonly hooks: readonly ExaminedHook[]
  /** Web hooks that the service has switched off, because their receivers fail or want nothing any more. */
  readonly switchedOff: number
  readonly jobs: readonly ExaminedJobs[]
  /** Messages that wait to be sent again. */
  readonly waitingMail: number
}

const { webhooks, webhookDeliveries, webhookWork, waitingMail } = systemCollections

/** Counts end here. */
const most = 1000

/** Somewhat more than the time after which a lease that nobody renews is lost. */
const patience = leaseTime + 1000

type Parts = {
  readonly documents: InstanceDocuments
  readonly clock: Pick<Clock, 'wait'>
  readonly readChanges: ChangeSource
}

/** The time of the earliest delivery that has not arrived. */
const earliestPending = async (documents: InstanceDocuments, { id }: Webhook): Promise<number | null> => {
  const { documents: found } = await documents.find(webhookDeliveries.name, {
    where: [
      { key: 'hook', equals: id },
      { key: 'state', equals: 'pending' },
    ],
    order: [{ key: 'sequence', direction: 'asc' }],
    skip: 0,
    limit: 1,
    detail: 'light',
  })
  const [first] = found
  return first === undefined ? null : Date.parse(deliveryIn(first).time)
}

/** The time of the earliest change of which no delivery was made. */
const earliestChange = async ({ documents, readChanges }: Parts, hook: Webhook): Promise<number | null> => {
  const stored = await documents.get(webhookWork.name, hook.id)
  const { events } = await readChanges(hook, stored === null ? hook.start : placeIn(stored))
  const first = events.find(({ event }) => isSelected(hook.events, event.event))
  return first === undefined ? null : Date.parse(first.event.time)
}

const examineHook = async (parts: Parts, hook: Webhook): Promise<ExaminedHook> => {
  const { id, instance, failing_since: failingSince } = hook
  const waitingSince = (await earliestPending(parts.documents, hook)) ?? (await earliestChange(parts, hook))
  return { id, instance, failingSince, waitingSince }
}

const openJobs = async (documents: InstanceDocuments, collection: string): Promise<number> => {
  let open = 0
  for (const state of ['waiting', 'running'])
    open += await documents.count(collection, { where: [{ key: 'state', equals: state }] }, most)
  return open
}

const examineJobs = async ({ documents, clock }: Parts): Promise<readonly ExaminedJobs[]> => {
  const kinds = ['imports', 'exports'] as const satisfies readonly Work[]
  const versionOf = async (work: Work): Promise<number> =>
    (await documents.get(webhookWork.name, work))?.version ?? 0
  const found = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      open: await openJobs(documents, systemCollections[kind].name),
      version: await versionOf(kind),
    })),
  )
  // Who works on a job renews the lease.
  if (found.some(({ open }) => open > 0)) await clock.wait(patience)
  return Promise.all(
    found.map(async ({ kind, open, version }) => ({
      kind,
      open,
      isWorkedOn: open === 0 || (await versionOf(kind)) !== version,
    })),
  )
}

/** Throws a PortFailure. Waits for ten seconds if there are jobs, to see whether a process works on them. */
export const createExamineWork = (parts: Parts) => async (): Promise<ExaminedWork> => {
  const { documents } = parts
  const found: Webhook[] = []
  await forEachPage({ documents, collection: webhooks.name, limit: 100 }, (page: readonly Document[]) =>
    found.push(...page.map(webhookIn)),
  )
  const hooks: ExaminedHook[] = []
  for (const hook of found) if (hook.active) hooks.push(await examineHook(parts, hook))
  return {
    hooks,
    switchedOff: found.filter(({ active, switched_off: reason }) => !active && reason !== null).length,
    jobs: await examineJobs(parts),
    waitingMail: await documents.count(waitingMail.name, { where: [] }, most),
  }
}
