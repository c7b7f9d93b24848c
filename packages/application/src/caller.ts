import {
  nowIn,
  reachedIn,
  type Links,
  type NaiveDateTime,
  type Role,
  type Settings,
  type StreamingHost,
  type ValueContext,
  type Viewer,
} from '@publishing-service/domain'

export type Instance = {
  readonly number: number
  readonly settings: Settings
  /** Where the publication's public website is; null where it was never told. */
  readonly website: string | null
}

/** On whose behalf, on which instance and when a use case runs. */
export type Caller = {
  readonly role: Role
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

export const valueContextOf = (caller: Caller, streamingHosts: readonly StreamingHost[]): ValueContext => ({
  zone: caller.instance.settings.timezone,
  streamingHosts,
  strict: caller.strict,
})
