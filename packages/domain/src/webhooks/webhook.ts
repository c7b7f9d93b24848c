/** What a web hook is, and which changes it selects (docs/behaviour/webhooks.md). */
import { settingsSubject, type ChangeKind } from '../changes/change-feed.js'
import { badParameters, fault, type Problem } from '../fault.js'
import { E, type Either } from '../fp.js'
import { stored, type WholeOf } from '../resource/attribute.js'
import type { Queryable } from '../resource/collection-query.js'
import { resources } from '../resource/resources.js'
import {
  internal,
  readOnly,
  requiredInternal,
  requiredReadOnly,
  serviceNumber,
  serviceText,
  serviceTime,
  shownId,
  uuidSchema,
} from '../resource/shown-attribute.js'
import { listOf, record } from '../value/record.js'
import { boolean, oneOf } from '../value/scalar.js'
import { webAddress } from '../value/address.js'
import { text } from '../value/text.js'

/** What happens to an object as the public sees it. */
const eventWords = ['published', 'updated', 'unpublished', 'deleted'] as const

/** Selects all events, those of collections included that later releases add. */
export const everyEvent = '*'

/** The events that a web hook can name. */
export const webhookEvents: readonly string[] = [
  everyEvent,
  ...resources.flatMap(({ collection }) => eventWords.map((word) => `${collection}.${word}`)),
  `${settingsSubject.collection}.updated`,
]

/** The event of a delivery that an admin asks for as a test. */
export const testEvent = 'test'

/** What each kind of change is for the public. */
const wordOf: Readonly<Record<ChangeKind, (typeof eventWords)[number]>> = {
  created: 'published',
  published: 'published',
  updated: 'updated',
  unpublished: 'unpublished',
  removed: 'deleted',
}

/** The event of a change that the public sees, by the kind that it has for roles that see everything. */
export const eventOf = ({ kind, type }: { readonly kind: ChangeKind; readonly type: string }): string =>
  `${type}.${wordOf[kind]}`

/** Whether a web hook with these events receives an event. */
export const isSelected = (events: readonly string[], event: string): boolean =>
  events.includes(everyEvent) || events.includes(event)

/** Web hooks of an instance. It may have more from an earlier version. */
export const mostWebhooks = 20

/** Why an instance that has so many web hooks cannot have another one; null if it can. */
export const webhookLimitProblem = (count: number): Problem | null =>
  count < mostWebhooks
    ? null
    : badParameters([
        fault(
          '',
          'limit',
          `would be more than the ${mostWebhooks} web hooks of an instance: delete one first`,
        ),
      ])

/** Why a web hook was switched off by the service. */
export const switchOffReasons = ['gone', 'failing'] as const

const day = 86_400_000

/** How many milliseconds a former secret signs too, after it was replaced. */
const formerSecretTime = day

/** Former secrets that sign at a time: each adds a signature to the header. */
const mostFormerSecrets = 10

/** A secret that was replaced, and until when it signs too, in milliseconds since 1970. */
const formerSecret = {
  secret: stored(serviceText, 'The secret.', { required: true }),
  until: stored(serviceNumber, 'Until when it signs.', { required: true }),
} as const
export type FormerSecret = WholeOf<typeof formerSecret>

/** Those that sign now. */
export const signingSecrets = (former: readonly FormerSecret[], now: number): readonly FormerSecret[] =>
  former.filter(({ until }) => now < until)

/** The former secrets once one more is replaced; TooManyRequests if too many sign. */
export const withFormerSecret = (
  former: readonly FormerSecret[],
  secret: string,
  now: number,
): Either<Problem, readonly FormerSecret[]> => {
  const signing = signingSecrets(former, now)
  return signing.length < mostFormerSecrets
    ? E.right([{ secret, until: now + formerSecretTime }, ...signing])
    : E.left({
        _tag: 'TooManyRequests',
        retryAfter: Math.ceil((Math.min(...signing.map(({ until }) => until)) - now) / 1000),
      })
}

/** Milliseconds after which a receiver that fails is not sent anything any more. */
const longestFailure = 5 * day

/** Whether a web hook is switched off, the deliveries of which have failed since a time. */
export const isTooLongFailing = (failingSince: number, now: number): boolean =>
  now - failingSince >= longestFailure

/** A web hook. Its secret is no attribute: it is shown once. */
export const webhookAttributes = {
  uuid: shownId(uuidSchema, 'Identifier.'),
  url: stored(
    webAddress,
    'Address that receives the events: `https`, and no private, loopback or link-local one unless the deployment allows it.',
    { required: true },
  ),
  events: stored(
    listOf(oneOf(webhookEvents), webhookEvents.length, 1),
    'The events that it receives; `*` for all.',
    { initial: [everyEvent] },
  ),
  active: stored(boolean, 'Whether events are sent. While it is off, they wait.', {
    initial: true,
  }),
  description: stored(text({ max: 255 }), 'What it is for, for people.'),
  created: stored(serviceTime, 'When it was created, in UTC.', requiredReadOnly),
  failing_since: stored(
    serviceTime,
    'Since when all deliveries have failed, in UTC; null if the last one has not.',
    readOnly,
  ),
  switched_off: stored(
    oneOf(switchOffReasons),
    'Why the service has switched it off: `gone` if the receiver answered 410, `failing` after five days of failures; null if it has not.',
    readOnly,
  ),
  instance: stored(serviceNumber, 'The instance.', requiredInternal),
  secret: stored(serviceText, 'The secret that signs, as it is.', requiredInternal),
  root: stored(
    serviceText,
    'The address of the instance, which links of deliveries begin with.',
    requiredInternal,
  ),
  start: stored(
    record({
      from: stored(serviceNumber, 'Position.', { required: true }),
      time: stored(serviceNumber, 'Time.', { required: true }),
    }),
    'It receives events from this place in the feed of changes on.',
    requiredInternal,
  ),
  former_secrets: stored(listOf(record(formerSecret), mostFormerSecrets), 'Secrets that sign too.', internal),
  former_secret: stored(serviceText, 'The only one, as earlier releases have stored it.', internal),
  former_until: stored(serviceNumber, 'Until when that one signs.', internal),
} as const

export const webhookRows: Queryable = {
  attributes: webhookAttributes,
  initialFields: ['uuid', 'url', 'events', 'active', 'description', 'failing_since', 'switched_off'],
  orders: { created: 'created' },
  filters: {},
}

type State = WholeOf<typeof webhookAttributes>
type WithDefault = 'events' | 'active'

/** A web hook as it is stored. Times are in milliseconds since 1970. */
export type StoredWebhook = Omit<State, WithDefault> & { readonly [K in WithDefault]: NonNullable<State[K]> }
