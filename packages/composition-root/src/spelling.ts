import { distance } from 'fastest-levenshtein'

/** How many letters may differ. Of four letters two are half of the word: HOME is no mistyped HOST. */
const tolerance = (word: string): number => (word.length <= 4 ? 1 : 2)

/** Those of the known words that were probably meant by a word, nearest first; `spelling` is what is compared. */
export const similarWords = (
  word: string,
  known: readonly string[],
  spelling: (word: string) => string = (each) => each,
): readonly string[] =>
  known
    .map((each) => ({
      each,
      letters: distance(spelling(word), spelling(each)),
      most: tolerance(spelling(each)),
    }))
    .filter(({ letters, most }) => letters <= most)
    .toSorted((one, other) => one.letters - other.letters)
    .map(({ each }) => each)
