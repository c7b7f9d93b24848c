/**
 * The values that a store may contain after its service was killed: for each name, the last acknowledged value, or a
 * later one whose write had no response.
 */
import { jsonEqual, type Json } from '@publishing-service/domain'

/** The outcome of a write; an `unanswered` one may have been applied. */
export type Outcome = 'acknowledged' | 'rejected' | 'unanswered'

export type Ledger<V extends Json> = {
  /** Records the value before `send` runs and the outcome after it; rejects as `send` does. One writer for each name. */
  readonly write: (name: string, value: V | null, send: () => Promise<Outcome>) => Promise<Outcome>
  /** The value that a name has; undefined while a write of it is unanswered. Null is a name without a value. */
  readonly current: (name: string) => V | null | undefined
  /** Whether a name may have this value now. What it has then is its only value from there on. */
  readonly settle: (name: string, found: V | null) => boolean
  /** The values that a name may have, for messages. */
  readonly allowed: (name: string) => readonly (V | null)[]
  /** The names that have a value or may have one. */
  readonly names: () => readonly string[]
}

export const createLedger = <V extends Json>(): Ledger<V> => {
  const values = new Map<string, readonly (V | null)[]>()
  const allowed = (name: string): readonly (V | null)[] => values.get(name) ?? [null]
  const setValue = (name: string, value: V | null): void => {
    if (value === null) values.delete(name)
    else values.set(name, [value])
  }
  return {
    write: async (name, value, send) => {
      const before = allowed(name)
      values.set(name, [...before, value])
      const outcome = await send()
      if (outcome === 'acknowledged') setValue(name, value)
      if (outcome === 'rejected') values.set(name, before)
      return outcome
    },
    current: (name) => {
      const [value = null, ...others] = allowed(name)
      return others.length === 0 ? value : undefined
    },
    settle: (name, found) => {
      const isAllowed = allowed(name).some((value) => jsonEqual(value, found))
      setValue(name, found)
      return isAllowed
    },
    allowed,
    names: () => [...values.keys()],
  }
}
