import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import rawBody from 'raw-body'
import type { AnyProblem } from '@publishing-service/domain'
import { tooLarge } from '@publishing-service/application'
import {
  mediaTypeOf,
  requestBody,
  requireUtf8,
  requireWhole,
  withinTime,
  type BodyLimits,
} from './read-body.js'

/** The fields of a form; a repeated field is a list. */
export type FormFields = Readonly<Record<string, unknown>>

const problemOf = (error: unknown, limit: number): AnyProblem => {
  const status = error instanceof Error && 'status' in error ? error.status : null
  if (status === 413) return tooLarge(limit)
  if (status === 400 || status === 415) return { _tag: 'BadRequest', reason: 'the form can’t be read' }
  throw error
}

const notForm: AnyProblem = {
  _tag: 'UnsupportedMediaType',
  expected: 'a form, application/x-www-form-urlencoded',
}

/** Creates the reader of `application/x-www-form-urlencoded`, within limits of size and time. */
export const createReadForm = ({ bytes, seconds }: BodyLimits) => {
  const parse = koaBody({ urlencoded: true, json: false, text: false, multipart: false, formLimit: bytes })

  const fieldsOf = async (koa: Context): Promise<FormFields> => {
    requestBody(koa.req)
    try {
      await parse(koa, async () => undefined)
    } catch (error) {
      throw problemOf(error, bytes)
    }
    const body: unknown = koa.request.body
    return typeof body === 'object' && body !== null ? { ...body } : {}
  }

  return async (koa: Context): Promise<FormFields> => {
    requireWhole(koa.req)
    requireUtf8(koa.req)
    if (mediaTypeOf(koa.req) !== 'application/x-www-form-urlencoded') throw notForm
    return withinTime(seconds, fieldsOf(koa))
  }
}

/** The parser loads the decoder of its text at the first form, when no file descriptor may be free; this loads it before. */
export const loadFormDecoder = async (): Promise<void> => {
  await rawBody(Readable.from([]), 'utf8')
}
