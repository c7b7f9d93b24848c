import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Problem } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import { asciiJson, errorAnswer, errorBody } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'
import type { Log } from '@publishing-service/ports'

/** How long a client whose body was refused may go on sending before its connection ends, in milliseconds. */
const lingering = 5000

/** A part that is out of reach is told as Unavailable, by its name; what its driver said goes to the log alone. */
const problemOf = (failure: Failure, log: Log, requestId: string): Problem => {
  if (failure._tag !== 'PortFailure') return failure
  log.write('error', 'part out of reach', { request: requestId, part: failure.part, reason: failure.reason })
  return { _tag: 'Unavailable', retryAfter: 5, part: failure.part }
}

/** A body that nobody will read is let run for a moment, so that the client gets to see the answer. */
const endLater = ({ req }: Context): void => {
  if (req.complete) return
  req.resume()
  const timer = setTimeout(() => req.socket.destroy(), lingering)
  timer.unref()
  req.once('close', () => clearTimeout(timer))
}

/** Sends the error answer of a failure (decisions §3). */
export const sendFailure = (
  context: Context,
  response: ServerResponse,
  failure: Failure,
  base: string,
  log: Log,
): void => {
  const answer = errorAnswer(problemOf(failure, log, String(context.state['requestId'])))
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = asciiJson(errorBody(answer, base))
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    Vary: varyOf(response),
    ...answer.headers,
  })
  response.end(body, 'latin1')
  endLater(context)
}
