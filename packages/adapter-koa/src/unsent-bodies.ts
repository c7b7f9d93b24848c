import type { ServerResponse } from 'node:http'
import type { Problem } from '@publishing-service/domain'
import type { Log } from '@publishing-service/ports'

/** Bytes of a body that is neither counted nor refused: the buffers of the connection usually have space for it. */
export const smallBody = 16 * 1024

const refusal: Problem = { _tag: 'Unavailable', retryAfter: 5 }

/** Bodies of responses of this process that wait to be sent. */
export type UnsentBodies = {
  /**
   * Counts the bytes of a body that is not small until the response is sent or its connection closed. Returns the problem to send instead where the
   * limit is exceeded.
   */
  readonly add: (response: ServerResponse, bytes: number) => Problem | null
}

/**
 * Limits the bytes of bodies that wait because their clients don't read (docs/run-in-production.md#limits). Small bodies
 * are not counted: health checks, errors and most objects are sent whatever other clients do. Only GET is refused: a
 * write has already been made.
 */
export const limitUnsentBodies = (limit: number, log: Log): UnsentBodies => {
  let unsent = 0
  let isLogged = false
  return {
    add: (response, bytes) => {
      // The response has no body, or there is no client anymore: nothing waits.
      if (response.req.method === 'HEAD' || response.destroyed) return null
      if (unsent + bytes > limit && response.req.method === 'GET') {
        // Logged once each time that the limit is reached.
        if (!isLogged) log.write('warn', 'too many unsent responses', { bytes: unsent, limit })
        isLogged = true
        return refusal
      }
      unsent += bytes
      response.once('close', () => {
        unsent -= bytes
        if (unsent < limit / 2) isLogged = false
      })
      return null
    },
  }
}
