import {
  clientAddress,
  nowIn,
  reachedIn,
  type Links,
  type NaiveDateTime,
  type Role,
  type Settings,
  type ValueContext,
  type View,
  type Viewer,
} from '@publishing-service/domain'
import type { Deployment } from './ports.js'

export type Instance = {
  readonly number: number
  readonly settings: Settings
}

/** Whom shares and limits are counted for. */
export type Client = {
  /** Names the API user of the token, or the address of a request without one. */
  readonly name: string
  /** Whether the request came without a token. */
  readonly isAnonymous: boolean
}

/** The client of a request: the user that its token speaks for, or null, and its remote address. */
export const clientOf = (user: string | null, address: string): Client =>
  user === null
    ? { name: `address ${clientAddress(address)}`, isAnonymous: true }
    : { name: `user ${user}`, isAnonymous: false }

/** On whose behalf, on which instance and when a use case runs. */
export type Caller = {
  readonly role: Role
  readonly client: Client
  /** UUID of the API user; null for the service itself and for requests without a token. */
  readonly user: string | null
  readonly instance: Instance
  readonly now: NaiveDateTime
  /** What is due by then has happened: as now, but in an hour that comes twice the end of it. */
  readonly reached: NaiveDateTime
  readonly links: Links
  /** Whether what the service doesn't know is a fault: `Prefer: handling=strict`. */
  readonly strict: boolean
}

/** The time of an instance's clock, from milliseconds since 1970. */
export const momentIn = (
  { settings: { timezone } }: Instance,
  epochMilliseconds: number,
): Pick<Caller, 'now' | 'reached'> => ({
  now: nowIn(timezone, epochMilliseconds),
  reached: reachedIn(timezone, epochMilliseconds),
})

export const viewerOf = ({ role, reached, instance }: Caller): Viewer => ({
  role,
  now: reached,
  settings: instance.settings,
})

/** What a view of the object with this id depends on, where it reads no counts and refers to nothing unless said. */
export const viewBy = (
  caller: Caller,
  id: string,
  {
    find = () => undefined,
    count = () => 0,
    canScale,
  }: Partial<Pick<View, 'find' | 'count' | 'canScale'>> = {},
): View => {
  const { role, now, settings } = viewerOf(caller)
  const view = { role, now, settings, id, links: caller.links, find, count }
  return canScale === undefined ? view : { ...view, canScale }
}

/** What decoding of a request's values depends on. */
export const valueContextOf = ({
  instance,
  strict,
  deployment: { streamingHosts },
}: Pick<Caller, 'instance' | 'strict'> & { readonly deployment: Deployment }): ValueContext => ({
  zone: instance.settings.timezone,
  streamingHosts,
  strict,
})
