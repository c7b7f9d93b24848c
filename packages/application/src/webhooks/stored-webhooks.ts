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
  deliveryFailures,
  deliveryStates,
  newProgress,
  signingSecrets,
  switchOffReasons,
  withFormerSecret,
  type FormerSecret,
  type Progress,
} from '@publishing-service/domain/webhooks'
import type { Document } from '@publishing-service/ports'
import { systemCollections } from '../collections.js'
import { fail, unwrap } from '../attempt.js'
import { decodeStored } from '../decode-stored.js'
import type { InstanceDocuments } from '../instance-store.js'
import type { Target } from '../engine/update-document.js'

const { webhooks, webhookDeliveries, webhookWork } = systemCollections

const orNull = <A>(codec: t.Type<A, unknown>) => t.union([codec, t.null])

const oneOf = <W extends string>(name: string, words: readonly W[]): t.Type<W, unknown> => {
  const is = (value: unknown): value is W => words.some((word) => word === value)
  return new t.Type(
    name,
    is,
    (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
    t.identity,
  )
}

/** A place in the feed of changes. */
const FeedPlaceCodec = t.readonly(t.type({ from: t.number, time: t.number }))

/** A web hook; times are in milliseconds since 1970. One of an earlier release has at most one former secret. */
const StoredWebhook = t.readonly(
  t.intersection([
    t.type({
      instance: t.number,
      url: t.string,
      events: t.readonlyArray(t.string),
      active: t.boolean,
      description: orNull(t.string),
      created: t.number,
      secret: t.string,
      failing_since: orNull(t.number),
      switched_off: orNull(oneOf('reason', switchOffReasons)),
      /** The address of the instance, which links of deliveries begin with. */
      root: t.string,
      /** It receives events from this place in the feed of changes on. */
      start: FeedPlaceCodec,
    }),
    t.partial({
      former_secrets: t.readonlyArray(t.type({ secret: t.string, until: t.number })),
      former_secret: orNull(t.string),
      former_until: orNull(t.number),
    }),
  ]),
  webhooks.name,
)
export type StoredWebhook = t.TypeOf<typeof StoredWebhook>

const ProgressCodec = t.type({
  state: oneOf('state', deliveryStates),
  attempts: t.number,
  first: orNull(t.number),
  due: t.number,
  status: orNull(t.number),
  failure: orNull(oneOf('failure', deliveryFailures)),
  attempted: orNull(t.number),
})

const StoredDelivery = t.readonly(
  t.intersection([
    t.type({
      instance: t.number,
      hook: t.string,
      event: t.string,
      type: t.string,
      /** Null for the settings. */
      object: orNull(t.string),
      url: t.string,
      path: orNull(t.string),
      previous_path: orNull(t.string),
      time: t.string,
      created: t.string,
      /** Its place in the order of deliveries: the position of the record of the change. */
      sequence: t.number,
    }),
    ProgressCodec,
  ]),
  webhookDeliveries.name,
)
export type StoredDelivery = t.TypeOf<typeof StoredDelivery>

/** From where in the feed of changes the deliveries of a web hook are made next. */
const StoredPlace = t.readonly(t.type({ instance: t.number, place: FeedPlaceCodec }), webhookWork.name)

export const placeIn = (document: Document): FeedPlace => decodeStored(StoredPlace, document).place

export type Webhook = StoredWebhook & { readonly id: string }

export const webhookIn = (document: Pick<Document, 'id' | 'value'>): Webhook => ({
  id: document.id,
  ...decodeStored(StoredWebhook, document),
})

export const deliveryIn = (document: Pick<Document, 'id' | 'value'>): StoredDelivery =>
  decodeStored(StoredDelivery, document)

/** What is changed in a web hook, and in a delivery. */
export const webhooksTarget: Target = {
  collection: webhooks.name,
  uniqueText: () => null,
}
export const deliveriesTarget: Target = { ...webhooksTarget, collection: webhookDeliveries.name }

/** The web hook of an instance; NotFound if it has none with this id. */
export const findWebhook = async (
  documents: Pick<InstanceDocuments, 'get'>,
  instance: number,
  id: string,
): Promise<Document> => {
  const found = await documents.get(webhooks.name, id)
  if (found === null || webhookIn(found).instance !== instance) fail(notFound)
  return found
}

const formerSecretsOf = ({
  former_secrets: former,
  former_secret: secret = null,
  former_until: until = null,
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
