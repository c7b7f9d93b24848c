import type { Context, Middleware } from 'koa'
import { E, type Problem } from '@publishing-service/domain'
import type { Outcome } from '@publishing-service/application'
import { charsetProblem, encodingProblem, mediaTypeOf } from './read-body.js'

const limit = 64 * 1024

let loading: Promise<Middleware> | null = null

/** The parser and what it brings along take a fifth of a cold start, so they are loaded for the first form. */
const formParser = (): Promise<Middleware> => {
  loading ??= import('koa-body').then(({ koaBody }) =>
    koaBody({ urlencoded: true, json: false, text: false, multipart: false, formLimit: limit }),
  )
  return loading
}

const problemOf = (error: unknown): Problem => {
  const status = error instanceof Error && 'status' in error ? error.status : null
  if (status === 413) return { _tag: 'TooLarge', limit }
  if (status === 400 || status === 415) return { _tag: 'BadRequest', reason: 'the form can’t be read' }
  throw error
}

/** Reads `application/x-www-form-urlencoded`; a field that is sent twice is a list. */
export const readForm =
  (context: Context): Outcome<Readonly<Record<string, unknown>>> =>
  async () => {
    const problem = encodingProblem(context.req) ?? charsetProblem(context.req)
    if (problem !== null) return E.left(problem)
    if (mediaTypeOf(context.req) !== 'application/x-www-form-urlencoded')
      return E.left({
        _tag: 'UnsupportedMediaType',
        expected: 'a form, application/x-www-form-urlencoded',
      } as const)
    try {
      const parse = await formParser()
      await parse(context, async () => undefined)
    } catch (error) {
      return E.left(problemOf(error))
    }
    const body: unknown = context.request.body
    return E.right(typeof body === 'object' && body !== null ? { ...body } : {})
  }
