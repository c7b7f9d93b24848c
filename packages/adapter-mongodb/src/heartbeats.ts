/**
 * Tells when the driver has stopped looking after the server. Its version 7 waits for ever where it writes to a
 * socket that was destroyed in the same moment: then its heartbeat never ends, and it never finds the server again.
 */
import type { MongoClient } from 'mongodb'

export type Heartbeats = {
  /** Whether a heartbeat has gone on for longer than the driver's own limits allow. */
  readonly areStuck: (now: number) => boolean
}

const grace = 2000

/** Watches a client from before it connects; `now` is in milliseconds of `performance.now`. */
export const heartbeatsOf = (client: MongoClient): Heartbeats => {
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options
  /** When each server's heartbeat has to have ended. */
  const ends = new Map<string, number>()
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    const limit = awaited ? heartbeatFrequencyMS + connectTimeoutMS : 2 * connectTimeoutMS
    ends.set(connectionId, performance.now() + limit + grace)
  })
  const ended = ({ connectionId }: { readonly connectionId: string }): void => {
    ends.delete(connectionId)
  }
  client.on('serverHeartbeatSucceeded', ended)
  client.on('serverHeartbeatFailed', ended)
  client.on('serverClosed', ({ address }) => ends.delete(address))
  return { areStuck: (now) => [...ends.values()].some((end) => now > end) }
}
