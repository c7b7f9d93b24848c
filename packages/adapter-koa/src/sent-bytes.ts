/** How many bytes of bodies were sent, for the log: Node.js counts those of a connection with all its headers. */
import type { ServerResponse } from 'node:http'

const sent = new WeakMap<ServerResponse, number>()

/** Adds bytes of the body; an answer to HEAD has none. */
export const addSent = (response: ServerResponse, bytes: number): void => {
  if (response.req.method !== 'HEAD') sent.set(response, sentBytes(response) + bytes)
}

/** Bytes of the body that have been sent until now. */
export const sentBytes = (response: ServerResponse): number => sent.get(response) ?? 0
