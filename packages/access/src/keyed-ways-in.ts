/**
 * Ways in that an account can have several of: passkeys and identities at providers. Each has a key, which is a digest: it
 * finds the account, and the person names the way in by it.
 */
export type KeyedWayIn = { readonly key: string }

export const keyOf = ({ key }: KeyedWayIn): string => key

export const withoutKey = <W extends KeyedWayIn>({ key: _key, ...wayIn }: W): Omit<W, 'key'> => wayIn

/** Stored ways in with their keys, which are stored in the same order. */
export const withKeys = <A>(waysIn: readonly A[], keys: readonly string[]): readonly (A & KeyedWayIn)[] =>
  waysIn.flatMap((wayIn, at) => {
    const key = keys[at]
    return key === undefined ? [] : [{ ...wayIn, key }]
  })

/** The way in of a key; null if there is none. */
export const wayInWith = <W extends KeyedWayIn>(waysIn: readonly W[], key: string): W | null =>
  waysIn.find((each) => each.key === key) ?? null

export const withoutWayIn = <W extends KeyedWayIn>(waysIn: readonly W[], key: string): readonly W[] =>
  waysIn.filter((each) => each.key !== key)

/** The ways in with other values of one; the same if there is none with this key. */
export const withWayInChange = <W extends KeyedWayIn>(
  waysIn: readonly W[],
  key: string,
  change: Partial<W>,
): readonly W[] => waysIn.map((each) => (each.key === key ? { ...each, ...change } : each))
