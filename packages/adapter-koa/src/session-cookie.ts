/** The cookies of people who sign in to the dashboard (docs/behaviour/accounts.md#sessions). */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { challengeMinutes, longestSession } from '@publishing-service/access'
import type { RequestContext } from './request-context.js'

/** Only the dashboard sends this in place of a token. Forms and links of other sites cannot send it. */
export const sessionScheme = 'Session'

/** The cookies of the service: their names, and for how many seconds browsers keep them. */
const cookies = {
  session: { plain: 'publishing-session', age: longestSession / 1000 },
  /** For each sign-in with a provider that was begun: the secret that identifies the browser when it comes back. */
  begun: { plain: 'publishing-sign-in', age: challengeMinutes * 60 },
  /** Of a browser in which a person has signed in (docs/behaviour/access.md#failed-attempts). */
  known: { plain: 'publishing-browser', age: 365 * 24 * 3600 },
} as const
type CookieKind = keyof typeof cookies

type Addressed = Pick<RequestContext, 'base'>

const isSecure = ({ base }: Addressed): boolean => base.startsWith('https:')

/** With https no other host of the domain can set the cookie. */
const nameOf = (context: Addressed, kind: CookieKind): string =>
  isSecure(context) ? `__Host-${cookies[kind].plain}` : cookies[kind].plain

const headerOf = (context: Addressed, name: string, value: string, age: number): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${age}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(context) ? ['Secure'] : []),
  ].join('; ')

/** The header that gives a browser a cookie, or takes it away for null. */
export const cookieOf = (
  context: Addressed,
  kind: Exclude<CookieKind, 'begun'>,
  value: string | null,
): string => headerOf(context, nameOf(context, kind), value ?? '', value === null ? 0 : cookies[kind].age)

/** The names and values of the cookies of a request. Browsers send the oldest ones first. */
const pairsIn = ({ headers }: IncomingMessage): readonly (readonly [string, string])[] =>
  (headers.cookie ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, value.join('=')]
  })

const valueOf = (request: IncomingMessage, name: string): string | null => {
  const values = pairsIn(request).flatMap(([each, value]) => (each === name ? [value] : []))
  return values.length === 1 ? (values[0] ?? null) : null
}

/** The value of a cookie; null if there is none, or several. */
export const cookieIn = (
  request: IncomingMessage,
  context: Addressed,
  kind: Exclude<CookieKind, 'begun'>,
): string | null => valueOf(request, nameOf(context, kind))

/** Each tab may have begun a sign-in with a provider: the most that a browser has the secrets of. */
const mostBegun = 5

/** The name of the cookie for the state of a sign-in. The state that comes back is any text, so the name has a digest of it. */
const begunName = (context: Addressed, state: string): string =>
  `${nameOf(context, 'begun')}-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`

/** The secret of a sign-in with a provider; null if another browser has begun it. */
export const begunSecretIn = (request: IncomingMessage, context: Addressed, state: string): string | null =>
  valueOf(request, begunName(context, state))

/** The headers that give a browser the secret of a sign-in, and take away those of the oldest ones beyond the most. */
export const beginCookies = (
  request: IncomingMessage,
  context: Addressed,
  { state, secret }: { readonly state: string; readonly secret: string },
): readonly string[] => {
  const prefix = `${nameOf(context, 'begun')}-`
  const earlier = pairsIn(request).flatMap(([name]) => (name.startsWith(prefix) ? [name] : []))
  return [
    headerOf(context, begunName(context, state), secret, cookies.begun.age),
    ...earlier
      .slice(0, Math.max(0, earlier.length + 1 - mostBegun))
      .map((name) => headerOf(context, name, '', 0)),
  ]
}

/** The header that takes away the secret of a sign-in that has ended. */
export const endedCookie = (context: Addressed, state: string): string =>
  headerOf(context, begunName(context, state), '', 0)

/** Whether a page of the service has sent a request, as far as the browser says; null if it says nothing, as programs do. */
const isOfOwnPage = ({ headers }: IncomingMessage, { base }: Addressed): boolean | null => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  return origin === undefined ? null : origin === new URL(base).origin
}

/** Whether a page of another origin has sent a request. Programs send what only a browser would say of it. */
export const isOfOtherPage = (request: IncomingMessage, context: Addressed): boolean =>
  isOfOwnPage(request, context) === false

/**
 * Whether a request may use the session. Without TLS, browsers say nothing about a read of the same origin; with one of
 * another origin that has the header Authorization, they always send `Origin`.
 */
const isSameOrigin = (request: IncomingMessage, context: Addressed): boolean => {
  const { headers, method } = request
  const isRead = method === 'GET' || method === 'HEAD'
  return isOfOwnPage(request, context) ?? (isRead && headers.authorization === sessionScheme)
}

/** The token of the session of a request by the dashboard; null if it has none, or another site has caused it. */
export const sessionTokenOf = (request: IncomingMessage, context: Addressed): string | null =>
  isSameOrigin(request, context) ? cookieIn(request, context, 'session') : null
