/**
 * What the primary and its workers tell each other. After an update, the workers of a restart can be of a later release than
 * the primary: what one does not know is ignored.
 */
import type { LogLevel } from '@publishing-service/ports'

/**
 * Why a worker stops: by one of the signals, or because another one has taken its place. `hurry` ends the waiting of a stop.
 */
export type StopReason = 'SIGTERM' | 'SIGINT' | 'replaced'

/** What a worker has read of its configuration that the primary follows too. */
export type WorkerSettings = {
  readonly logLevel: LogLevel
  /** Milliseconds of SHUTDOWN_DELAY. */
  readonly delay: number
}

/** Collections of instances that a worker has written. */
export type Written = readonly (readonly [instance: number, collection: string])[]

export type ToPrimary =
  /** It has written, and waits until the other workers know it. */
  | { readonly kind: 'wrote'; readonly id: number; readonly written: Written }
  /** The answer to `others wrote`: caches here are outdated. */
  | { readonly kind: 'counted'; readonly id: number }
  /** It hears messages from now on; node:cluster loses those that come before. */
  | { readonly kind: 'hears' }
  /** It serves requests. */
  | ({ readonly kind: 'started' } & WorkerSettings)
  | { readonly kind: 'serve metrics'; readonly port: number; readonly host: string }
  /** The answer to `read metrics`, or the last ones, without a number. */
  | { readonly kind: 'metrics'; readonly id: number | null; readonly metrics: unknown }
  /** Asks for `settled`, which comes after all connections that the primary has passed until then. */
  | { readonly kind: 'settle' }

export type ToWorker =
  | { readonly kind: 'others wrote'; readonly id: number; readonly written: Written }
  /** The answer to `wrote`. */
  | { readonly kind: 'told'; readonly id: number }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'hurry' }
  | { readonly kind: 'metrics served'; readonly port: number }
  | { readonly kind: 'metrics not served'; readonly code: string | null; readonly message: string }
  | { readonly kind: 'read metrics'; readonly id: number }
  | { readonly kind: 'settled' }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isWritten = (value: unknown): value is Written =>
  Array.isArray(value) &&
  value.every(
    (each) =>
      Array.isArray(each) && each.length === 2 && typeof each[0] === 'number' && typeof each[1] === 'string',
  )

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']
const reasons: readonly StopReason[] = ['SIGTERM', 'SIGINT', 'replaced']

/** The message to the primary; null if it is none that is known. */
export const messageToPrimary = (value: unknown): ToPrimary | null => {
  if (!isRecord(value)) return null
  const { kind, delay, port, host, id, written } = value
  switch (kind) {
    case 'wrote':
      return typeof id === 'number' && isWritten(written) ? { kind, id, written } : null
    case 'counted':
      return typeof id === 'number' ? { kind, id } : null
    case 'started': {
      const logLevel = levels.find((each) => each === value['logLevel'])
      return logLevel !== undefined && typeof delay === 'number' ? { kind, logLevel, delay } : null
    }
    case 'serve metrics':
      return typeof port === 'number' && typeof host === 'string' ? { kind, port, host } : null
    case 'metrics':
      return { kind, id: typeof id === 'number' ? id : null, metrics: value['metrics'] }
    case 'hears':
    case 'settle':
      return { kind }
    default:
      return null
  }
}

/** The message to a worker; null if it is none that is known. */
export const messageToWorker = (value: unknown): ToWorker | null => {
  if (!isRecord(value)) return null
  const { kind, port, id, code, written } = value
  switch (kind) {
    case 'others wrote':
      return typeof id === 'number' && isWritten(written) ? { kind, id, written } : null
    case 'told':
      return typeof id === 'number' ? { kind, id } : null
    case 'stop': {
      const reason = reasons.find((each) => each === value['reason'])
      return reason === undefined ? null : { kind, reason }
    }
    case 'hurry':
    case 'settled':
      return { kind }
    case 'metrics served':
      return typeof port === 'number' ? { kind, port } : null
    case 'metrics not served':
      return { kind, code: typeof code === 'string' ? code : null, message: String(value['message']) }
    case 'read metrics':
      return typeof id === 'number' ? { kind, id } : null
    default:
      return null
  }
}
