/** Steps of a request that are spans of their own, if traces are collected. */
import { defectOutcome, spanEndOf, succeeded, type LogFields, type SpanName } from '@publishing-service/ports'
import { isFailure, type Identity } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { identify } from './begin.js'
import type { RequestContext } from './request-context.js'
import type { Service } from './service.js'

/** Runs a step within a span. */
export const inSpan = async <A>(
  { traces }: Pick<Service, 'traces'>,
  name: SpanName,
  fields: LogFields,
  step: () => Promise<A>,
  outcomeOf: (value: A) => string = () => succeeded,
): Promise<A> => {
  const span = traces?.begin(name, fields) ?? null
  if (span === null) return step()
  try {
    const value = await span.run(step)
    span.end(spanEndOf(outcomeOf(value)), {})
    return value
  } catch (error) {
    span.end(spanEndOf(isFailure(error) ? error._tag : defectOutcome), {})
    throw error
  }
}

/** Identifies the token of a request, if it has one. */
export const identifyWithin = (service: Service, context: RequestContext): Promise<Identity> =>
  context.koa.req.headers.authorization === undefined
    ? identify(service, context)
    : inSpan(
        service,
        'identify',
        {},
        () => identify(service, context),
        (identity) => (identity !== null && E.isLeft(identity) ? identity.left._tag : succeeded),
      )
