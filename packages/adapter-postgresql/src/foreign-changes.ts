/** Notifications of the changes that other processes make, which arrive right after their commit. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Statement } from '@publishing-service/sql-kit'
import pg from 'pg'
import { connectionConfig } from './connections.js'

export type ForeignChanges = {
  /** Called for each change of another process that listens too. */
  readonly onChange: (collection: string, instance: number) => void
  /** Called after a time without notifications, in which anything may have changed. */
  readonly onMissed: () => void
}

export type Notifications = {
  /** The statement that notifies others of a change once its transaction commits. */
  readonly notify: (collection: string, instance: number) => Statement
  readonly close: () => Promise<void>
}

const channel = 'publishing_changes'

/** Milliseconds between two tests of the connection, and before a new attempt to connect. */
const [testEvery, retryAfter] = [5000, 500]

/** Resolves once the connection is listening. `deadline` is in milliseconds. */
export const listen = async (
  url: string,
  deadline: number,
  { onChange, onMissed }: ForeignChanges,
): Promise<Notifications> => {
  const own = randomUUID()
  const closing = new AbortController()
  let client: pg.Client | null = null

  const connected = async (): Promise<pg.Client> => {
    const opened = new pg.Client({ ...connectionConfig(url, deadline), query_timeout: deadline })
    opened.on('error', () => undefined)
    opened.on('notification', ({ payload = '' }) => {
      const [sender, instance, ...collection] = payload.split(' ')
      if (sender !== own) onChange(collection.join(' '), Number(instance))
    })
    try {
      await opened.connect()
      await opened.query(`LISTEN ${channel}`)
    } catch (error) {
      opened.connection.stream.destroy()
      throw error
    }
    return opened
  }

  /** Resolves once the connection does not respond, or the store closes. */
  const untilLost = async (opened: pg.Client): Promise<void> => {
    try {
      while (!closing.signal.aborted) {
        await wait(testEvery, undefined, { signal: closing.signal, ref: false })
        await opened.query('SELECT 1')
      }
    } catch {
      opened.connection.stream.destroy()
    }
  }

  const listenAgain = async (): Promise<pg.Client | null> => {
    while (!closing.signal.aborted) {
      try {
        return await connected()
      } catch {
        await wait(retryAfter, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
    }
    return null
  }

  const keepListening = async (first: pg.Client): Promise<void> => {
    client = first
    while (client !== null && !closing.signal.aborted) {
      const lost = client
      const ended = new Promise<void>((resolve) => lost.once('end', resolve))
      await Promise.race([untilLost(lost), ended])
      client = await listenAgain()
      if (client !== null) onMissed()
    }
  }

  const listening = keepListening(await connected())
  return {
    notify: (collection, instance) => ({
      sql: 'SELECT pg_notify($1, $2)',
      parameters: [channel, `${own} ${instance} ${collection}`],
      isBlind: true,
    }),
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
