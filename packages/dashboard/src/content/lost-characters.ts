/** How much of what was typed is lost if changes are dropped. */
import type { Json, JsonObject } from '@publishing-service/domain/json'

/** Changes that lose fewer characters are dropped without a question. */
export const maxLostUnasked = 10

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)

/** The characters of a text that are not in another one, if one passage was changed. */
const addedTo = (former: string, next: string): number => {
  const shorter = Math.min(former.length, next.length)
  let start = 0
  while (start < shorter && former[start] === next[start]) start += 1
  let end = 0
  while (end < shorter - start && former.at(-1 - end) === next.at(-1 - end)) end += 1
  return next.length - start - end
}

/** The number of characters that the changes of an object add to what is stored. */
export const lostCharacters = ({
  stored,
  changes,
}: {
  readonly stored: JsonObject
  readonly changes: JsonObject
}): number =>
  Object.entries(changes).reduce(
    (sum, [name, value]) => sum + addedTo(textOf(stored[name]), textOf(value)),
    0,
  )
