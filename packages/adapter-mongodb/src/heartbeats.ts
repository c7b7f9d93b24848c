/**
 * Detects that the driver no longer monitors the server. Version 7 waits forever if it writes to a socket that is
 * destroyed at the same moment: its heartbeat never ends, and it never finds the server again.
 */
import type { MongoClient } from 'mongodb'

export type Heartbeats = {
  /** Whether a heartbeat has exceeded the limits of the driver. */
  readonly areStuck: (now: number) => boolean
}

const grace = 2000

/** Watches a client that is not connected yet. `now` is in milliseconds of `performance.now`. */
export const heartbeatsOf = (client: MongoClient): Heartbeats => {
  const { connectTimeoutMS, heartbeatFrequencyMS } = client.options
  /** The time by which the heartbeat of each server must end. */
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
