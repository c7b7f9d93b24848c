import { computed } from './attribute.js'
import { fold } from '../value/fold.js'

/** The sort key of the title: the first of these attributes that has a value. */
export const titleOrder = <N extends string>(...names: readonly N[]) =>
  computed('text', 'The title as lists order it.', (state: Readonly<Record<N, string | null>>) =>
    fold(names.map((name) => state[name]).find((title) => (title ?? null) !== null) ?? ''),
  )
