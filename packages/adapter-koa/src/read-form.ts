import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { koaBody } from 'koa-body'
import Koa, { type Context } from 'koa'
import { E, type Problem } from '@publishing-service/domain'
import type { Outcome } from '@publishing-service/application'
import {
  charsetProblem,
  mediaTypeOf,
  partialProblem,
  requestBody,
  withinTime,
  type BodyLimits,
} from './read-body.js'

/** The fields of a form; a repeated field is a list. */
export type FormFields = Readonly<Record<string, unknown>>

const problemOf = (error: unknown, limit: number): Problem => {
  const status = error instanceof Error && 'status' in error ? error.status : null
  if (status === 413) return { _tag: 'TooLarge', limit }
  if (status === 400 || status === 415) return { _tag: 'BadRequest', reason: 'the form can’t be read' }
  throw error
}

/** Creates the reader of `application/x-www-form-urlencoded`, within limits of size and time. */
export const createReadForm = ({ bytes, seconds }: BodyLimits) => {
  const parse = koaBody({ urlencoded: true, json: false, text: false, multipart: false, formLimit: bytes })

  const fieldsOf = async (context: Context): Promise<E.Either<Problem, FormFields>> => {
    requestBody(context.req)
    try {
      await parse(context, async () => undefined)
    } catch (error) {
      return E.left(problemOf(error, bytes))
    }
    const body: unknown = context.request.body
    return E.right(typeof body === 'object' && body !== null ? { ...body } : {})
  }

  return (context: Context): Outcome<FormFields> =>
    async () => {
      const problem = partialProblem(context.req) ?? charsetProblem(context.req)
      if (problem !== null) return E.left(problem)
      return mediaTypeOf(context.req) === 'application/x-www-form-urlencoded'
        ? withinTime(seconds, fieldsOf(context))
        : E.left({ _tag: 'UnsupportedMediaType', expected: 'a form, application/x-www-form-urlencoded' })
    }
}

/** Reads a form once, because the parser loads its decoder at first use, when no file descriptor may be free. */
export const loadFormParser = async (): Promise<void> => {
  const form = 'grant_type='
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  request.headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(form.length),
  }
  request.push(form)
  request.push(null)
  const context = new Koa().createContext(request, new ServerResponse(request))
  const read = await createReadForm({ bytes: form.length, seconds: 10 })(context)()
  if (E.isLeft(read)) throw new Error(`the form parser does not work: ${JSON.stringify(read.left)}`)
}
