import type {
  Links,
  Role,
  Settings,
  ValueContext,
  StreamingHost,
  Viewer,
  NaiveDateTime,
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
  readonly links: Links
  /** Whether what the service doesn't know is a fault: `Prefer: handling=strict`. */
  readonly strict: boolean
}

export const viewerOf = ({ role, now, instance }: Caller): Viewer => ({
  role,
  now,
  settings: instance.settings,
})

export const valueContextOf = (caller: Caller, streamingHosts: readonly StreamingHost[]): ValueContext => ({
  zone: caller.instance.settings.timezone,
  streamingHosts,
  strict: caller.strict,
})
