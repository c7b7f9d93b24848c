/** The cookies of people who sign in to the dashboard (docs/behaviour/accounts.md#sessions). */
import type { IncomingMessage } from 'node:http'
import { challengeMinutes, longestSession } from '@publishing-service/access'
import type { RequestContext } from './request-context.js'

/** Only the dashboard sends this in place of a token. Forms and links of other sites cannot send it. */
export const sessionScheme = 'Session'

/** The cookies of the service: their names, and for how many seconds browsers keep them. */
const cookies = {
  session: { plain: 'publishing-session', age: longestSession / 1000 },
  /** Of a sign-in with a provider that was begun: the secret by which the browser is known that comes back. */
  begun: { plain: 'publishing-sign-in', age: challengeMinutes * 60 },
  /** Of a browser in which a person has signed in (docs/behaviour/access.md#failed-attempts). */
  known: { plain: 'publishing-browser', age: 365 * 24 * 3600 },
} as const
type CookieKind = keyof typeof cookies

type Addressed = Pick<RequestContext, 'base'>

const isSecure = ({ base }: Addressed): boolean => base.startsWith('https:')

/** With https no other host of the domain can set the cookie. */
const nameOf = (exchange: Addressed, kind: CookieKind): string =>
  isSecure(exchange) ? `__Host-${cookies[kind].plain}` : cookies[kind].plain

/** The header that gives a browser a cookie, or takes it away for null. */
export const cookieOf = (exchange: Addressed, kind: CookieKind, value: string | null): string =>
  [
    `${nameOf(exchange, kind)}=${value ?? ''}`,
    'Path=/',
    `Max-Age=${value === null ? 0 : cookies[kind].age}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(exchange) ? ['Secure'] : []),
  ].join('; ')

/** The value of a cookie; null if there is none, or several. */
export const cookieIn = (
  { headers }: IncomingMessage,
  exchange: Addressed,
  kind: CookieKind,
): string | null => {
  const name = nameOf(exchange, kind)
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
  return values.length === 1 ? (values[0] ?? null) : null
}

/**
 * Whether a request comes from a page of the service, as far as the browser says. Without TLS, browsers send neither header
 * with a read of the same origin; with one of another origin that has the header Authorization, they always send `Origin`.
 */
const isSameOrigin = ({ headers, method }: IncomingMessage, { base }: Addressed): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin !== undefined) return origin === new URL(base).origin
  return (method === 'GET' || method === 'HEAD') && headers.authorization === sessionScheme
}

/** The token of the session of a request by the dashboard; null if it has none, or another site has caused it. */
export const sessionTokenOf = (request: IncomingMessage, exchange: Addressed): string | null =>
  isSameOrigin(request, exchange) ? cookieIn(request, exchange, 'session') : null
