/** Notifications between processes on one database about their changes, right after the commit. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ForeignChanges } from '@publishing-service/sql-kit'
import pg from 'pg'
import { connectionConfig } from './connections.js'

export type Notifications = {
  /** Notifies the others of a change. Returns at once. */
  readonly changed: (collection: string, instance: number) => void
  /** Resolves after the last notifications, or soon. */
  readonly close: () => Promise<void>
}

const channel = 'publishing_changes'

/**
 * Not in the transactions of the changes: those that notify commit one after the other, each waiting for the disk. This one
 * writes nothing, so it does not wait for the disk.
 */
const notifyAll = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'

/** Milliseconds between two tests of the connection, and before a new attempt to connect. */
const [testEvery, retryAfter] = [5000, 500]

/** Milliseconds that closing waits for the last notifications. */
const closingTimeout = 1000

/** Resolves once the connection is listening. `deadline` is in milliseconds. */
export const exchangeChanges = async (
  url: string,
  deadline: number,
  { onChange, onMissed }: ForeignChanges,
): Promise<Notifications> => {
  const own = randomUUID()
  const closing = new AbortController()
  /** The changes since the last notification, each once. */
  const changes = new Set<string>()
  let sending: Promise<void> | null = null

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

  let client = await connected()

  /** What can't be sent is sent once there is a connection again. */
  const send = async (): Promise<void> => {
    while (changes.size > 0) {
      const sent = [...changes]
      changes.clear()
      try {
        await client.query(notifyAll, [channel, sent])
      } catch {
        sent.forEach((each) => changes.add(each))
        client.connection.stream.destroy()
        break
      }
    }
    sending = null
  }

  const sendSoon = (): void => {
    sending ??= send()
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

  const listenAgain = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        client = await connected()
        onMissed()
        sendSoon()
        return
      } catch {
        await wait(retryAfter, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
    }
  }

  const keepListening = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const ended = new Promise<void>((resolve) => client.once('end', resolve))
      await Promise.race([untilLost(client), ended])
      await listenAgain()
    }
  }

  const listening = keepListening()
  return {
    changed: (collection, instance) => {
      changes.add(`${own} ${instance} ${collection}`)
      sendSoon()
    },
    close: async () => {
      await Promise.race([sending, wait(closingTimeout, undefined, { ref: false })])
      closing.abort()
      await listening
    },
  }
}
