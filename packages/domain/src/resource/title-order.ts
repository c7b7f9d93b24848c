import { computed } from './attribute.js'
import { fold, foldingVersion } from '../value/fold.js'

/** The sort key of a title. */
export const sortKey = <S>(
  description: string,
  reads: readonly (keyof S & string)[],
  titleOf: (state: S) => string,
) =>
  computed('text', description, reads, (state: S) => fold(titleOf(state)), {
    revision: foldingVersion,
  })

/** The sort key of the title: the first of these attributes that has a value. */
export const titleOrder = <N extends string>(...names: readonly N[]) =>
  sortKey(
    'The title as lists order it.',
    names,
    (state: Readonly<Record<N, string | null>>) =>
      names.map((name) => state[name]).find((title) => (title ?? null) !== null) ?? '',
  )
