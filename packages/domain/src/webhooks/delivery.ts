/** Deliveries of web hooks: their states, and when they are attempted (docs/behaviour/webhooks.md#deliveries). */
import { wordsFilter } from '../resource/collection-filter.js'
import { stored, type WholeOf } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import {
  internal,
  momentSchema,
  nullable,
  readOnly,
  requiredInternal,
  requiredReadOnly,
  serviceNumber,
  serviceText,
  serviceTime,
  shownId,
  shownTime,
  uuidSchema,
} from '../resource/shown-attribute.js'
import { integer, oneOf } from '../value/scalar.js'
import type { ValueType } from '../value/value-type.js'

/** A delivery that is pending is attempted until it is delivered, or has failed for too long. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const

/** Why an attempt has failed. */
export const deliveryFailures = [
  /** The receiver has answered 410: it wants nothing any more. */
  'gone',
  /** The answer was a redirect, which is not followed. */
  'redirect',
  /** The answer had another status than 200 to 299. */
  'status',
  /** There was no answer in time. */
  'timeout',
  /** The connection was closed before there was an answer of HTTP. */
  'closed',
  /** The receiver does not accept connections. */
  'unreachable',
  /** The name of the receiver has no address. */
  'unknown_host',
  /** The certificate of the receiver is not valid. */
  'certificate',
  /** The address is a private one, which the deployment does not allow. */
  'private_address',
  /** The address is not `https`, and the deployment does not allow that. */
  'insecure',
] as const
export type DeliveryFailure = (typeof deliveryFailures)[number]

/** What came of an attempt: the status of the answer if there was one, and why it has failed, null if it has not. */
export type DeliveryAnswer = { readonly status: number | null; readonly failure: DeliveryFailure | null }

const utcText: ValueType<string> = { ...serviceText, schema: momentSchema }

/** A delivery of a web hook. */
export const deliveryAttributes = {
  uuid: shownId(uuidSchema, 'Identifier, which the receiver gets as `webhook-id`.'),
  event: stored(serviceText, 'The event, such as `content.updated`; `test` for a test.', requiredReadOnly),
  type: stored(serviceText, 'The collection of the object; `settings` for the settings.', requiredReadOnly),
  object: stored(
    { ...serviceText, schema: uuidSchema },
    'UUID of the object; null for the settings.',
    readOnly,
  ),
  path: stored(serviceText, 'Public path of the object; null if it has none.', readOnly),
  time: stored(utcText, 'When the object was changed, in UTC.', requiredReadOnly),
  created: stored(utcText, 'When the delivery was made, in UTC.', requiredReadOnly),
  state: stored(
    oneOf(deliveryStates),
    '`pending` while it is attempted, `delivered`, or `failed` after two days.',
    requiredReadOnly,
  ),
  attempts: stored(serviceNumber, 'How often it was attempted.', requiredReadOnly),
  attempted: stored(serviceTime, 'When it was attempted last, in UTC; null if it was not.', readOnly),
  next_attempt: shownTime(
    'due',
    'When it is attempted next, in UTC; null if it is not.',
    nullable,
    ({ state }) => state === 'pending',
  ),
  status: stored(
    integer({ min: 100, max: 999 }),
    'Status of the last answer; null if there was none.',
    readOnly,
  ),
  failure: stored(oneOf(deliveryFailures), 'Why the last attempt has failed; null if it has not.', readOnly),
  instance: stored(serviceNumber, 'The instance.', requiredInternal),
  hook: stored(serviceText, 'UUID of the web hook.', requiredInternal),
  url: stored(serviceText, 'API URL of the object.', requiredInternal),
  previous_path: stored(serviceText, 'The public path before the change.', internal),
  sequence: stored(
    serviceNumber,
    'Its place in the order of deliveries: the position of the record of the change.',
    requiredInternal,
  ),
  first: stored(serviceTime, 'When it was attempted first; null if it was not.', internal),
  due: stored(serviceTime, 'When it is attempted next, while it is pending.', requiredInternal),
} as const

/** A delivery as it is stored. Times of attempts are in milliseconds since 1970. */
export type StoredDelivery = WholeOf<typeof deliveryAttributes>

/** What of a delivery changes with each attempt. */
export type Progress = Pick<
  StoredDelivery,
  'state' | 'attempts' | 'first' | 'due' | 'status' | 'failure' | 'attempted'
>

export const deliveryRows: Queryable = {
  attributes: deliveryAttributes,
  initialFields: ['uuid', 'event', 'object', 'path', 'created', 'state', 'attempts', 'status', 'failure'],
  orders: { created: 'created' },
  filters: {
    state: wordsFilter(
      'state',
      'Deliveries of these states',
      Object.fromEntries(deliveryStates.map((state) => [state, [state]])),
    ),
  },
}

/** A delivery that was not attempted. */
export const newProgress = (now: number): Progress => ({
  state: 'pending',
  attempts: 0,
  first: null,
  due: now,
  status: null,
  failure: null,
  attempted: null,
})

const second = 1000
const hour = 3_600_000
const day = 24 * hour

/** Milliseconds for which a delivery is attempted. */
const longestDelivery = 2 * day

/** Milliseconds for which deliveries are retained. */
export const deliveryTime = 30 * day

/** Milliseconds until the next attempt after a number of them; `jitter`, from 0 to 1, spreads those of several deliveries. */
export const retryDelay = (attempts: number, jitter: number): number =>
  Math.round(Math.min(5 * second * 3 ** (attempts - 1), 3 * hour) * (1 + jitter / 4))

/** A delivery after an attempt. */
export const afterAttempt = (
  { attempts: before, first: earlier }: Progress,
  { status, failure }: DeliveryAnswer,
  now: number,
  jitter: number,
): Progress => {
  const first = earlier ?? now
  const attempts = before + 1
  const attempted = { attempts, first, status, failure, attempted: now }
  if (failure === null) return { ...attempted, state: 'delivered', due: now }
  const end = first + longestDelivery
  if (now >= end) return { ...attempted, state: 'failed', due: now }
  return { ...attempted, state: 'pending', due: Math.min(now + retryDelay(attempts, jitter), end) }
}
