import { idOfChange, type Change } from '@publishing-service/ports'

/** The changes, of which each document has one: the first that is no mere expectation of its existence. */
export const oncePerDocument = (changes: readonly Change[]): readonly Change[] => {
  const isWeak = (change: Change): boolean => change.kind === 'expect' && change.version === null
  const first = new Map<string, Change>()
  const selections: Change[] = []
  for (const change of changes) {
    if (change.kind === 'expect none') {
      selections.push(change)
      continue
    }
    const key = `${change.collection}/${idOfChange(change)}`
    const found = first.get(key)
    if (found === undefined || (isWeak(found) && !isWeak(change))) first.set(key, change)
  }
  return [...first.values(), ...selections]
}
