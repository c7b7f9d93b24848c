import type { Problem } from '@publishing-service/domain'
import type { Failure } from '@publishing-service/application'
import { asciiJson, errorResponse, errorBody } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'
import { addSent, requestIds, type RequestContext } from './request-context.js'
import type { Log } from '@publishing-service/ports'

/** A port that failed is Unavailable, with the name of the part; the message of its driver is only logged. */
const problemOf = (failure: Failure, log: Log, ids: ReturnType<typeof requestIds>): Problem => {
  if (failure._tag !== 'PortFailure') return failure
  const fields = { ...ids, part: failure.part, reason: failure.reason }
  if (failure.storageFull) {
    log.write('warn', 'write failed: storage full', fields)
    return { _tag: 'InsufficientStorage', retryAfter: 60 }
  }
  log.write('error', 'dependency unavailable', fields)
  return { _tag: 'Unavailable', retryAfter: 5, part: failure.part }
}

/** Sends the error response of a failure (docs/behaviour/errors.md). */
export const sendFailure = (exchange: RequestContext, failure: Failure, log: Log): void => {
  const { context, base } = exchange
  const response = context.res
  const answer = errorResponse(problemOf(failure, log, requestIds(exchange)))
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
  addSent(response, body.length)
  response.end(body, 'latin1')
}
