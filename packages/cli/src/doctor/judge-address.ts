/** What answers of the service mean, at its public address and on this machine. */
import { fault, fine, orFine, warning, type Finding } from './finding.js'

/** What the headers `X-Forwarded-*` of a request said; empty texts where there was nothing. */
export type Forwarded = { readonly for: boolean; readonly proto: string; readonly host: string }

export type ReachedAddress = {
  readonly base: string
  /** The addresses that it led to, one after another. */
  readonly redirects: readonly string[]
  readonly status: number
  /** Whether the answer is that of a service. */
  readonly isService: boolean
  /** What the service says of the headers; null if it says nothing. `forged` is for a request that had some. */
  readonly forwarded: Forwarded | null
  readonly forged: Forwarded | null
  /** When the certificate ends, in milliseconds since 1970; null without encryption. */
  readonly certificateEnds: number | null
  readonly now: number
}

/** The host that a request claims, to see whether a proxy lets it through. Nobody has it. */
export const forgedHost = 'forged.invalid'

const day = 86_400_000
const [soon, verySoon] = [21, 3]

const certificateFindings = ({ certificateEnds, now }: ReachedAddress): readonly Finding[] => {
  if (certificateEnds === null) return []
  const days = Math.floor((certificateEnds - now) / day)
  const found = `the certificate is valid for ${days} more days`
  if (days < verySoon) return [fault(found, 'renew it now')]
  return days < soon ? [warning(found, 'renew it, and see why that was not done automatically')] : []
}

const setHeaders =
  'have the proxy set X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host (docs/run-in-production.md#a-reverse-proxy)'

const trustedFindings = ({ base, forwarded, forged }: ReachedAddress): readonly Finding[] => {
  if (forwarded === null) return []
  const { protocol, host, hostname } = new URL(base)
  const proto = protocol.slice(0, -1)
  const missing = [
    ...(forwarded.for ? [] : ['X-Forwarded-For']),
    ...(forwarded.proto === '' ? ['X-Forwarded-Proto'] : []),
    ...(forwarded.host === '' ? ['X-Forwarded-Host'] : []),
  ]
  return [
    ...(missing.length > 0
      ? [
          fault(
            `TRUST_PROXY is true, but requests arrive without ${missing.join(', ')}` +
              (forwarded.for ? '' : ': limits count all clients as one'),
            setHeaders,
          ),
        ]
      : []),
    ...(forwarded.proto !== '' && forwarded.proto !== proto
      ? [warning(`the proxy says the scheme ${forwarded.proto}, and BASE_URL has ${proto}`, setHeaders)]
      : []),
    ...(forwarded.host !== '' && ![host, hostname].includes(forwarded.host)
      ? [warning(`the proxy says the host ${forwarded.host}, and BASE_URL has ${host}`, setHeaders)]
      : []),
    ...(forged?.host === forgedHost
      ? [fault('the proxy lets X-Forwarded-Host of a client through', setHeaders)]
      : []),
  ]
}

const untrustedFindings = ({ forwarded }: ReachedAddress): readonly Finding[] =>
  forwarded?.for === true || (forwarded?.proto ?? '') !== ''
    ? [
        warning(
          'a proxy sends X-Forwarded-* headers, which are not trusted: limits count all clients as one',
          'set TRUST_PROXY=true, if clients cannot reach the service without the proxy',
        ),
      ]
    : []

export const judgeAddress = (reached: ReachedAddress, isTrusted: boolean): readonly Finding[] => {
  const { base, redirects, status, isService } = reached
  const last = redirects.at(-1)
  if (!isService)
    return [
      fault(
        `${last ?? base} answers ${status}, and not as this service`,
        'see the proxy: it must pass all paths to the service',
      ),
    ]
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(base).hostname)
  return orFine(
    [
      ...(last === undefined
        ? []
        : [warning(`${base} redirects to ${last}`, 'set BASE_URL to the address that answers')]),
      ...(base.startsWith('http:') && !isLocal
        ? [warning(`${base} is not encrypted`, 'have the proxy serve https, and set BASE_URL to it')]
        : []),
      ...certificateFindings(reached),
      ...(isTrusted ? trustedFindings(reached) : untrustedFindings(reached)),
    ],
    `${base} reaches the service`,
  )
}

/** A service on this machine. */
export type RunningService = {
  readonly place: string
  /** Null if nothing listens. */
  readonly answer: { readonly status: number; readonly version: string | null } | null
}

export const judgeRunningService = (
  { place, answer }: RunningService,
  ownVersion: string,
): readonly Finding[] => {
  if (answer === null) return [fine(`no service runs at ${place}`)]
  const { status, version } = answer
  if (version === null)
    return [
      status === 503
        ? fault(`the service at ${place} is not ready`, 'see its log, and the checks of the stores')
        : fault(`something else answers at ${place}, with ${status}`, 'stop it, or set PORT to another one'),
    ]
  return version === ownVersion
    ? [fine(`the service at ${place} is ready, version ${version}`)]
    : [
        warning(
          `the service at ${place} has the version ${version}, and this is ${ownVersion}`,
          'restart the service',
        ),
      ]
}
