/**
 * The log as one JSON text per line. Lines are buffered in memory and written outside the event loop, within a quarter
 * of a second; an error, closing and the end of the process write them at once. Only a kill can lose some.
 */
import { openSync } from 'node:fs'
import { pino } from 'pino'
import type { Log, LogLevel } from '@publishing-service/ports'
import { lineWriter } from './line-writer.js'

export type PinoLogOptions = {
  /** The lowest level that is written. */
  readonly level: LogLevel
  /** A descriptor that is open, or the path of a file that lines are added to; default standard error. */
  readonly destination?: number | string
  /** The number of the worker that this process is, which its lines have; null or none if it is no worker. */
  readonly worker?: number | null
}

const standardError = 2
/** Milliseconds that a line waits for more. */
const longestWait = 250
const hide = (): string => '[hidden]'

/** The time of a line in ISO 8601. The text of a second is made once for all its lines: it costs as much as the rest of one. */
const lineTimes = (): (() => string) => {
  let second = Number.NaN
  let text = ''
  return () => {
    const now = Date.now()
    const milliseconds = now % 1000
    if (now - milliseconds !== second) {
      second = now - milliseconds
      text = new Date(second).toISOString().slice(0, -4)
    }
    return `,"time":"${text}${String(milliseconds).padStart(3, '0')}Z"`
  }
}

/**
 * A log that never fails: a destination that can't be written costs lines, which are counted, and not the service.
 * Throws where the file can't be opened.
 */
export const pinoLog = ({ level, destination = standardError, worker = null }: PinoLogOptions): Log => {
  const owned = typeof destination === 'string'
  const out = lineWriter({
    descriptor: owned ? openSync(destination, 'a') : destination,
    owned,
    onLost: (lines) => logger.warn({ lines }, 'log lines lost'),
  })
  const logger = pino(
    {
      level,
      base: worker === null ? null : { worker },
      messageKey: 'event',
      timestamp: lineTimes(),
      formatters: { level: (label) => ({ level: label }) },
      // Fields are flat. Redaction of paths would go through all of them once more for each line.
      serializers: {
        secret: hide,
        api_secret: hide,
        access_token: hide,
        authorization: hide,
        password: hide,
      },
    },
    out,
  )
  let waiting: NodeJS.Timeout | null = null

  const flush = (): void => {
    if (waiting !== null) clearTimeout(waiting)
    waiting = null
    out.flush()
  }

  return {
    enabled: (asked) => logger.isLevelEnabled(asked),
    write: (at, event, fields = {}) => {
      if (!logger.isLevelEnabled(at)) return
      logger[at](fields, event)
      if (at === 'error') flush()
      else waiting ??= setTimeout(flush, longestWait).unref()
    },
    close: () => {
      if (waiting !== null) clearTimeout(waiting)
      return out.close()
    },
  }
}
