import { badParameters, fault, type Fault, type Problem } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { findDuplicateKeys, findSyntaxError } from './json-position.js'

/** Limits of JSON bodies, which bound the time to read one. Few requests need a hundredth of them. */
export const bodyLimits = {
  /** Maximum depth of lists and objects. */
  depth: 32,
  /** Maximum number of keys of one object. */
  keys: 500,
  /** Maximum number of values of all lists and objects together. */
  values: 100_000,
} as const

const badRequest = (reason: string): Problem => ({ _tag: 'BadRequest', reason })

type Scan = { readonly keys: number; readonly excess: string | null }

const quote = 0x22
const backslash = 0x5c

/** The index of the closing quote of the string that starts after `from`, or the length of the text. */
const endOfString = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (end - escapes > from && text.charCodeAt(end - escapes - 1) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Counts the keys of a JSON text and checks the limits, in one pass and linear time. */
const scan = (text: string): Scan => {
  let keys = 0
  let values = 0
  let depth = 0
  /** The number of keys of each open object, by depth. */
  const open: number[] = []
  const exceeding = (excess: string): Scan => ({ keys, excess })
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index + 1)
    else if (code === 0x3a) {
      keys += 1
      const own = (open[depth] ?? 0) + 1
      open[depth] = own
      if (own > bodyLimits.keys) return exceeding(`an object has more than ${bodyLimits.keys} keys`)
    } else if (code === 0x2c || code === 0x7b || code === 0x5b) {
      // Each value follows the opening of its list or object, or a comma.
      values += 1
      if (values > bodyLimits.values)
        return exceeding(`the body has more than ${bodyLimits.values} values; send it in several requests`)
      if (code === 0x2c) continue
      depth += 1
      open[depth] = 0
      if (depth > bodyLimits.depth)
        return exceeding(`lists and objects nest deeper than ${bodyLimits.depth} levels`)
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return { keys, excess: null }
}

type Survey = { keys: number; readonly faults: Fault[] }

const survey = (value: Json, path: string, found: Survey): void => {
  if (typeof value === 'number' && !Number.isFinite(value))
    found.faults.push(fault(path, 'range', 'is a number that is out of range'))
  if (typeof value !== 'object' || value === null) return
  const parts = Object.entries(value)
  if (!Array.isArray(value)) found.keys += parts.length
  const before = path === '' ? '' : `${path}.`
  for (const [name, each] of parts) survey(each, `${before}${name}`, found)
}

/**
 * Parses the object of a JSON body (docs/behaviour/wire.md#request-bodies): malformed text, with the position, and text that
 * exceeds a limit are bad_request; duplicate keys, numbers out of range and values other than objects are
 * bad_parameters.
 */
export const parseObject = (text: string): Either<Problem, JsonObject> => {
  const { keys, excess } = scan(text)
  if (excess !== null) return E.left(badRequest(excess))
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return E.left(badRequest(findSyntaxError(text)))
    throw error
  }
  if (!isJsonObject(value)) return E.left(badParameters([fault('', 'type', 'must be a JSON object')]))
  const found: Survey = { keys: 0, faults: [] }
  survey(value, '', found)
  const faults = [...found.faults, ...(found.keys === keys ? [] : findDuplicateKeys(text))]
  return faults.length > 0 ? E.left(badParameters(faults)) : E.right(value)
}
