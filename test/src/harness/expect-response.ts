/** Assertions on responses. */
import { expect } from 'chai'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import type { ApiResponse } from './http-client.js'

const summaryOf = ({ method, path, status, text }: ApiResponse): string =>
  `${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 600)}`

export const expectStatus = (response: ApiResponse, status: number): ApiResponse => {
  expect(response.status, summaryOf(response)).to.equal(status)
  return response
}

export const expectOk = (response: ApiResponse): ApiResponse => expectStatus(response, 200)

/** Expects an error response with this status and code. */
export const expectError = (response: ApiResponse, status: number, code: string): ApiResponse => {
  expectStatus(response, status)
  if (response.method !== 'HEAD') expect(response.object['error'], summaryOf(response)).to.equal(code)
  return response
}

/** The messages of a bad_parameters response, by path. */
export const infoOf = (response: ApiResponse): Readonly<Record<string, string>> => {
  expectError(response, 400, 'bad_parameters')
  const info = response.object['error_info']
  return (isJsonObject(info) ? info : {}) as Readonly<Record<string, string>>
}

/** Expects a bad_parameters response with faults at exactly these paths. */
export const expectFaults = (
  response: ApiResponse,
  ...paths: readonly string[]
): Readonly<Record<string, string>> => {
  const info = infoOf(response)
  expect(Object.keys(info).toSorted(), summaryOf(response)).to.deep.equal([...paths].toSorted())
  return info
}

/** The list under `items`. */
export const itemsOf = (response: ApiResponse): readonly Json[] => {
  const { items } = expectOk(response).object
  if (!Array.isArray(items)) throw new Error(`${summaryOf(response)}: no items`)
  return items as readonly Json[]
}

/** The rows of a collection. */
export const rowsOf = (response: ApiResponse): readonly (readonly Json[])[] =>
  itemsOf(response) as readonly (readonly Json[])[]

export const objectsOf = (response: ApiResponse): readonly JsonObject[] =>
  itemsOf(response) as readonly JsonObject[]

/** The first value of each row. */
export const columnOf = (response: ApiResponse): readonly Json[] =>
  rowsOf(response).map(([first = null]) => first)

/** The UUID of a created object. */
export const uuidOf = (response: ApiResponse): string => String(expectOk(response).object['uuid'])
