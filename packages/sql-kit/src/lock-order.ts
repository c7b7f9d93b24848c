import { idOfChange } from '@publishing-service/ports'
import type { ChangeTexts } from './write-texts.js'

/** A change with its number among those of its write. */
export type Numbered<K extends ChangeTexts['kind'] = ChangeTexts['kind']> = Extract<
  ChangeTexts,
  { readonly kind: K }
> & {
  readonly number: number
}

/** Documents of one collection that are expected, or another change. */
type LockedTogether =
  | { readonly expected: readonly [Numbered<'expect'>, ...Numbered<'expect'>[]] }
  | { readonly changed: Numbered<Exclude<ChangeTexts['kind'], 'expect'>> }

/**
 * The changes in the order in which every write locks their documents, so that two writes wait for each other in few cases;
 * what must not exist comes last.
 */
export const inLockOrder = (changes: readonly ChangeTexts[]): readonly LockedTogether[] => {
  const numbered = changes.map((change, number): Numbered => ({ ...change, number }))
  const documents = numbered.flatMap((change) =>
    change.kind === 'expect none' ? [] : [{ change, key: `${change.collection}/${idOfChange(change)}` }],
  )
  const groups: LockedTogether[] = []
  let expected: [Numbered<'expect'>, ...Numbered<'expect'>[]] | null = null
  for (const { change } of documents.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    if (change.kind !== 'expect') {
      groups.push({ changed: change })
      expected = null
    } else if (expected?.[0].collection === change.collection) expected.push(change)
    else groups.push({ expected: (expected = [change]) })
  for (const change of numbered) if (change.kind === 'expect none') groups.push({ changed: change })
  return groups
}
