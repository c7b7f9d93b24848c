import { computed } from './attribute.js'
import { fold } from '../value/fold.js'

/** The title as lists order it: the first of these attributes that has a value. */
export const titleOrder = (...names: readonly string[]) =>
  computed('text', 'The title as lists order it.', (state) =>
    fold(String(names.map((name) => state[name] ?? null).find((title) => title !== null) ?? '')),
  )
