import type { Context } from 'koa'
import { E } from '@publishing-service/domain'
import type { Outcome } from '@publishing-service/application'
import { charsetProblem, mediaTypeOf, partialProblem, readWhole, type BodyLimits } from './read-body.js'

/** The values of each field of a form. */
export type FormFields = Pick<URLSearchParams, 'getAll'>

/** Creates the reader of `application/x-www-form-urlencoded`, within limits of size and time. */
export const createReadForm =
  (limits: BodyLimits) =>
  ({ req: request }: Pick<Context, 'req'>): Outcome<FormFields> =>
  async () => {
    const problem = partialProblem(request) ?? charsetProblem(request)
    if (problem !== null) return E.left(problem)
    if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded')
      return E.left({
        _tag: 'UnsupportedMediaType',
        expected: 'a form, application/x-www-form-urlencoded',
      })
    const bytes = await readWhole(request, limits)
    return E.isLeft(bytes) ? bytes : E.right(new URLSearchParams(bytes.right.toString()))
  }
