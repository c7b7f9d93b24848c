import type { WordChange } from '@publishing-service/domain/changes'
import { diffWordsWithSpace } from 'diff'

/** Words that are inserted or removed, at most: the time of a comparison grows with their square. */
const mostChanges = 2000

/** Characters of a part that both texts have, at its start and at its end. */
const context = 60

const shortened = (text: string): string =>
  text.length <= 2 * context + 3 ? text : `${text.slice(0, context)} … ${text.slice(-context)}`

/** What differs between two texts, word by word, with what both have; null if they differ too much. */
export const wordChanges = (before: string, after: string): readonly WordChange[] | null =>
  diffWordsWithSpace(before, after, { maxEditLength: mostChanges })?.map(({ value, added, removed }) =>
    added || removed
      ? { change: added ? 'added' : 'removed', text: value }
      : { change: 'same', text: shortened(value) },
  ) ?? null
