/**
 * Web hooks and their deliveries as they are stored: among the documents of the service itself, so that one query finds those
 * of all instances. The secrets sign, so they are stored as they are, and no view has them.
 */
import { notFound } from '@publishing-service/domain'
import { E, t } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { purgedTags, type FeedPlace } from '@publishing-service/domain/changes'
import { utcTime } from '@publishing-service/domain/time'
import {
  deliveryAttributes,
  newProgress,
  signingSecrets,
  webhookAttributes,
  withFormerSecret,
  type FormerSecret,
  type Progress,
  type StoredDelivery,
  type StoredWebhook,
} from '@publishing-service/domain/webhooks'
import type { Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { fail, unwrap } from '../attempt.js'
import { decodeStored, wholeCodec } from '../decode-stored.js'
import type { InstanceDocuments } from '../instance-store.js'
import { targetIn } from '../engine/update-document.js'

const { webhooks, webhookDeliveries, webhookWork } = systemCollections

const webhookCodec = wholeCodec(webhooks.name, webhookAttributes)
const deliveryCodec = wholeCodec(webhookDeliveries.name, deliveryAttributes)

/** From where in the feed of changes the deliveries of a web hook are made next. */
const StoredPlace = t.readonly(
  t.type({ instance: t.number, place: t.readonly(t.type({ from: t.number, time: t.number })) }),
  webhookWork.name,
)

export const placeIn = (document: Document): FeedPlace => decodeStored(StoredPlace, document).place

export type Webhook = StoredWebhook & { readonly id: string }

export const webhookIn = (document: Pick<Document, 'id' | 'value'>): Webhook => {
  const { events, active, ...hook } = decodeStored(webhookCodec, document)
  return { id: document.id, ...hook, events: events ?? [], active: active ?? true }
}

export const deliveryIn = (document: Pick<Document, 'id' | 'value'>): StoredDelivery =>
  decodeStored(deliveryCodec, document)

export const webhooksTarget = targetIn(webhooks.name)
export const deliveriesTarget = targetIn(webhookDeliveries.name)

/** The web hook of a value; NotFound if an instance has none with this id. */
export const webhookOf = (instance: number, id: string, value: JsonObject | null): Webhook => {
  const hook = value === null ? null : webhookIn({ id, value })
  if (hook?.instance !== instance) fail(notFound)
  return hook
}

const formerSecretsOf = ({
  former_secrets: former,
  former_secret: secret,
  former_until: until,
}: StoredWebhook): readonly FormerSecret[] =>
  former ?? (secret === null || until === null ? [] : [{ secret, until }])

/** The secrets that sign now. */
export const secretsOf = (hook: StoredWebhook, now: number): readonly string[] => [
  hook.secret,
  ...signingSecrets(formerSecretsOf(hook), now).map(({ secret }) => secret),
]

/** A web hook with a new secret; each former one signs too for a day. Throws TooManyRequests if too many do. */
export const withSecret = (
  document: Pick<Document, 'id' | 'value'>,
  secret: string,
  now: number,
): JsonObject => {
  const hook = webhookIn(document)
  const former_secrets = unwrap(withFormerSecret(formerSecretsOf(hook), hook.secret, now))
  const { former_secret: _secret, former_until: _until, ...value } = document.value
  return { ...value, secret, former_secrets }
}

/** An event for the receiver of a web hook. */
export type HookEvent = Pick<
  StoredDelivery,
  'event' | 'type' | 'object' | 'url' | 'path' | 'previous_path' | 'time' | 'sequence'
>

/** A delivery of an event that was not attempted. */
export const deliveryOf = (
  { id, instance }: Pick<Webhook, 'id' | 'instance'>,
  event: HookEvent,
  now: number,
): StoredDelivery & JsonObject => ({
  instance,
  hook: id,
  ...event,
  created: utcTime(now),
  ...newProgress(now),
})

/** What the receiver gets. */
export const bodyOf = (
  id: string,
  { event, time, instance, object, type, url, path, previous_path }: StoredDelivery,
): string =>
  JSON.stringify({
    id,
    type: event,
    time,
    instance,
    object: { uuid: object, type, url, path, previous_path },
    cache_tags: purgedTags(instance, type, object),
  })

/** A number from 0 to 1 that is different for each delivery. */
export const jitterOf = (id: string): number => {
  const digits = Number.parseInt(id.slice(-4), 16)
  return Number.isNaN(digits) ? 0 : digits / 0xffff
}

/** Writes what an attempt has changed in a delivery; false if somebody else has changed it in the meantime. */
export const writeProgress = async (
  documents: Pick<InstanceDocuments, 'replace'>,
  { id, version, value }: Document,
  progress: Progress,
): Promise<boolean> => {
  const document = { id, version, unique: null, value: { ...value, ...progress } }
  return E.isRight(await documents.replace(webhookDeliveries.name, document))
}
