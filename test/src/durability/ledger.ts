/**
 * The values that stores may contain after a service was killed: for each name, the last acknowledged value, or a
 * later one whose write had no response.
 */
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'

/** The outcome of a write. An unanswered write may have been applied. */
export type Outcome = 'acknowledged' | 'rejected' | 'unanswered'

/** The attributes that a write sets; null if it deletes the object. */
export type Value = JsonObject | null

/** Whether `found` has all attributes of `expected`, which may omit some. Lists must have the same length. */
const matches = (expected: Json, found: Json): boolean => {
  if (isJsonObject(expected))
    return (
      isJsonObject(found) &&
      Object.entries(expected).every(([name, value]) => matches(value, found[name] ?? null))
    )
  if (!Array.isArray(expected)) return expected === found
  const items: readonly Json[] = expected
  return (
    Array.isArray(found) &&
    found.length === items.length &&
    items.every((item, index) => matches(item, found[index]))
  )
}

/** JSON for messages, with short strings. */
const shortened = (value: Json): string =>
  JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.slice(0, 40) : part))

/** The attributes of `found` that one of the values has. */
const relevant = (found: Json, values: readonly Value[]): Json =>
  isJsonObject(found)
    ? Object.fromEntries(
        Object.entries(found).filter(([name]) => values.some((each) => each !== null && name in each)),
      )
    : found

/** Records the values of names. The initial value of a name is null unless it is in `initial`. */
export const createLedger = (initial: Readonly<Record<string, Value>> = {}) => {
  const allowed = new Map(Object.entries(initial).map(([name, value]) => [name, [value]]))
  const valuesOf = (name: string): Value[] => allowed.get(name) ?? [null]
  const setValue = (name: string, value: Value): void => {
    if (value === null) allowed.delete(name)
    else allowed.set(name, [value])
  }
  return {
    /** The values that the object may have: several while a write is unanswered. */
    allowed: (name: string): readonly Value[] => valuesOf(name),
    /** Sends a write and records its outcome. Each name has one writer. */
    write: async (name: string, value: Value, send: () => Promise<Outcome>): Promise<Outcome> => {
      const before = valuesOf(name)
      allowed.set(name, [...before, value])
      const outcome = await send()
      if (outcome === 'acknowledged') setValue(name, value)
      if (outcome === 'rejected') allowed.set(name, before)
      return outcome
    },
    /** The current value; undefined while a write is unanswered. */
    current: (name: string): Value | undefined => {
      const [value = null, ...others] = valuesOf(name)
      return others.length === 0 ? value : undefined
    },
    /** Selects the value that was found, of those that the writes allow. Returns a finding if there is none. */
    settle: (name: string, found: Json): readonly string[] => {
      const values = valuesOf(name)
      const value = values.find((each) => matches(each, found))
      if (value === undefined) {
        const expected = values.map(shortened).join(' or ')
        return [
          `lost or half-written: ${name} is ${shortened(relevant(found, values))}, expected ${expected}`,
        ]
      }
      setValue(name, value)
      return []
    },
    /** The names with an initial value, and those that have or may have a value now. */
    names: (): readonly string[] => [...new Set([...Object.keys(initial), ...allowed.keys()])],
  }
}
