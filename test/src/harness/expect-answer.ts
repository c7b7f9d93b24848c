/** Assertions on answers that many tests make. */
import { expect } from 'chai'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain'
import type { Answer } from './http-client.js'

const shown = ({ method, path, status, text }: Answer): string =>
  `${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 600)}`

export const expectStatus = (answer: Answer, status: number): Answer => {
  expect(answer.status, shown(answer)).to.equal(status)
  return answer
}

export const expectOk = (answer: Answer): Answer => expectStatus(answer, 200)

/** An error answer with this status and code. */
export const expectError = (answer: Answer, status: number, code: string): Answer => {
  expectStatus(answer, status)
  if (answer.method !== 'HEAD') expect(answer.object['error'], shown(answer)).to.equal(code)
  return answer
}

/** The messages of a bad_parameters answer by path. */
export const infoOf = (answer: Answer): Readonly<Record<string, string>> => {
  expectError(answer, 400, 'bad_parameters')
  const info = answer.object['error_info']
  return (isJsonObject(info) ? info : {}) as Readonly<Record<string, string>>
}

/** A bad_parameters answer with entries for exactly these paths. */
export const expectFaults = (
  answer: Answer,
  ...paths: readonly string[]
): Readonly<Record<string, string>> => {
  const info = infoOf(answer)
  expect(Object.keys(info).toSorted(), shown(answer)).to.deep.equal([...paths].toSorted())
  return info
}

/** The list under `items`. */
export const itemsOf = (answer: Answer): readonly Json[] => {
  const { items } = expectOk(answer).object
  if (!Array.isArray(items)) throw new Error(`${shown(answer)}: no items`)
  return items as readonly Json[]
}

/** The rows of a collection. */
export const rowsOf = (answer: Answer): readonly (readonly Json[])[] =>
  itemsOf(answer) as readonly (readonly Json[])[]

export const objectsOf = (answer: Answer): readonly JsonObject[] => itemsOf(answer) as readonly JsonObject[]

/** The first value of each row. */
export const columnOf = (answer: Answer): readonly Json[] => rowsOf(answer).map(([first = null]) => first)

/** The UUID that a create answered. */
export const uuidOf = (answer: Answer): string => String(expectOk(answer).object['uuid'])
