import type { NaiveDateTime, Role, Settings } from '@publishing-service/domain'
import type { ClockTime } from '@publishing-service/domain/time'
import type { ValueContext } from '@publishing-service/domain/declare'
import type { Links } from '@publishing-service/domain/engine'
import type { Deployment } from './ports.js'

export type Instance = {
  readonly number: number
  readonly settings: Settings
}

/** The authenticated user of a request, with the role on the instance and the time of the request. */
export type Caller = {
  readonly role: Role
  /** UUID of the API user; null for the service itself and for requests without a token. */
  readonly user: string | null
  readonly instance: Instance
  readonly settings: Settings
  /** The time of the request on the instance's clock. */
  readonly localTime: NaiveDateTime
  /**
   * The same moment as a text that sorts by time; it differs only while an hour is repeated after clocks are set back.
   * A session in which it is read has a result that changes with time.
   */
  readonly now: ClockTime
  readonly links: Links
  /** Whether unknown names and tolerated values are faults: `Prefer: handling=strict`. */
  readonly strict: boolean
}

/** The context of decoding a request's values. */
export const valueContextOf = ({
  instance,
  strict,
  deployment: { streamingHosts },
}: Pick<Caller, 'instance' | 'strict'> & { readonly deployment: Deployment }): ValueContext => ({
  zone: instance.settings.timezone,
  streamingHosts,
  strict,
})
