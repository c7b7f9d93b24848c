/** Output of finished commands. */
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import type { ProcessResult } from '../start-up/program.js'
import type { Key } from '../start-up/token.js'

/** The single JSON document on the standard output of a successful command. */
export const jsonOf = ({ code, out, error }: ProcessResult): unknown => {
  expect({ code, error }, out).to.deep.equal({ code: 0, error: '' })
  expect(out.endsWith('\n') && out.trimEnd().split('\n').length === 1, out).to.equal(true)
  return JSON.parse(out)
}

/** The same for a JSON object. */
export const objectOf = (ending: ProcessResult): JsonObject => {
  const value = jsonOf(ending)
  if (!isJsonObject(value)) throw new Error(`no object: ${ending.out}`)
  return value
}

export const keyOf = (ending: ProcessResult): Key => {
  const { api_key: key, api_secret: secret } = objectOf(ending)
  return { api_key: String(key), api_secret: String(secret) }
}

export const expectSuccess = ({ code, out, error }: ProcessResult, ...patterns: readonly RegExp[]): void => {
  expect({ code, error }, out).to.deep.equal({ code: 0, error: '' })
  for (const pattern of patterns) expect(out).to.match(pattern)
}
