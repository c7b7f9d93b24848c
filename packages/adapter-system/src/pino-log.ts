/**
 * The log as one JSON text per line. Lines are buffered in memory and written outside the event loop, within a quarter
 * of a second; an error, closing and the end of the process write them at once. Only a kill can lose some.
 */
import { openSync } from 'node:fs'
import { pino, stdTimeFunctions } from 'pino'
import type { Log, LogLevel } from '@publishing-service/ports'
import { lineWriter } from './line-writer.js'

export type PinoLogOptions = {
  /** The lowest level that is written. */
  readonly level: LogLevel
  /** A descriptor that is open, or the path of a file that lines are added to; default standard error. */
  readonly destination?: number | string
}

const standardError = 2
/** Milliseconds that a line waits for more. */
const longestWait = 250
const hidden = ['secret', 'api_secret', 'access_token', 'authorization', 'password']

/**
 * A log that never fails: a destination that can't be written costs lines, which are counted, and not the service.
 * Throws where the file can't be opened.
 */
export const pinoLog = ({ level, destination = standardError }: PinoLogOptions): Log => {
  const owned = typeof destination === 'string'
  const out = lineWriter({
    descriptor: owned ? openSync(destination, 'a') : destination,
    owned,
    onLost: (lines) => logger.warn({ lines }, 'log lines lost'),
  })
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hidden, censor: '[hidden]' },
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
