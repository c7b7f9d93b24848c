import type { AnyProblem } from '@publishing-service/domain'
import { asciiJson } from '@publishing-service/domain/json'
import type { AnyFailure } from '@publishing-service/application'
import { errorResponse, errorBody } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'
import { requestIds, writeHead, type RequestContext } from './request-context.js'
import type { Service } from './service.js'

/** A port that failed is Unavailable, with the name of the part; the message of its driver is only logged. */
const problemOf = (
  failure: AnyFailure,
  { log }: Pick<Service, 'log'>,
  context: RequestContext,
): AnyProblem => {
  if (failure._tag !== 'PortFailure') return failure
  const fields = { ...requestIds(context), part: failure.part, reason: failure.reason }
  if (failure.storageFull) {
    log.write('warn', 'write failed: storage full', fields)
    return { _tag: 'InsufficientStorage', retryAfter: 60 }
  }
  log.write('error', 'dependency unavailable', fields)
  return { _tag: 'Unavailable', retryAfter: 5, part: failure.part }
}

/** Sends the error response of a failure (docs/behaviour/errors.md). */
export const fail = (service: Pick<Service, 'log'>, context: RequestContext, failure: AnyFailure): void => {
  const { koa, base } = context
  const response = koa.res
  const answer = errorResponse(problemOf(failure, service, context))
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = asciiJson(errorBody(answer, base))
  writeHead(context, answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    Vary: varyOf(response),
    ...answer.headers,
  })
  context.sentBytes = body.length
  response.end(body, 'latin1')
}
