/**
 * What a store may hold after its service was killed: for each thing that somebody writes, the last value that was
 * acknowledged, or one that was sent after it and never answered.
 */
export type Ledger<V> = {
  /** Sends a value, noting it before it goes and when it has come back. Rejects as `send` does. */
  readonly write: (name: string, value: V, send: () => Promise<void>) => Promise<void>
  /** The values that `name` may have now; more than one where the last writes weren't answered. */
  readonly allowed: (name: string) => readonly V[]
  /** Takes what was found for what is there, once it has been looked at. */
  readonly settle: (name: string, value: V) => void
  readonly names: () => readonly string[]
  /** How many writes were acknowledged. */
  readonly acknowledged: () => number
}

/** An empty ledger; `absent` is what a name that was never written has. One writer at a time for each name. */
export const createLedger = <V>(absent: V): Ledger<V> => {
  const values = new Map<string, readonly V[]>()
  let acknowledged = 0
  const allowed = (name: string): readonly V[] => values.get(name) ?? [absent]
  return {
    write: async (name, value, send) => {
      values.set(name, [...allowed(name), value])
      await send()
      values.set(name, [value])
      acknowledged += 1
    },
    allowed,
    settle: (name, value) => {
      values.set(name, [value])
    },
    names: () => [...values.keys()],
    acknowledged: () => acknowledged,
  }
}
