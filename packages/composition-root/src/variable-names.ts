/** Names in an environment that the service doesn't read, and the ones that were probably meant. */
import { distance } from 'fastest-levenshtein'
import type { Variable } from './configuration-table.js'
import type { Environment } from './read-configuration.js'

/** Variables of other programs whose names are similar to one of the service. */
const namesOfOthers: ReadonlySet<string> = new Set([
  // node-gyp, which npm runs: how many compilers at once.
  'JOBS',
])

/** How many letters may differ. Of four letters two are half of the word: HOME is no mistyped HOST. */
const tolerance = (name: string): number => (name.length <= 4 ? 1 : 2)

const knownNames = (variables: Readonly<Record<string, Variable<unknown>>>): readonly string[] =>
  Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name]))

const namesIn = (environment: Environment): readonly string[] =>
  Object.keys(environment).filter((name) => environment[name] !== undefined)

const nearest = (name: string, known: readonly string[]): string | null => {
  const [first] = known
    .map((each) => ({ each, letters: distance(name, each), most: tolerance(each) }))
    .filter(({ letters, most }) => letters <= most)
    .toSorted((one, other) => one.letters - other.letters)
  return first?.each ?? null
}

/** One message for each name that is nearly, but not quite, the name of a variable. */
export const misspelledNames = (
  environment: Environment,
  variables: Readonly<Record<string, Variable<unknown>>>,
): readonly string[] => {
  const known = knownNames(variables)
  return namesIn(environment).flatMap((name) => {
    if (known.includes(name) || namesOfOthers.has(name)) return []
    const meant = nearest(name, known)
    return meant === null
      ? []
      : [`${name} is no variable of the service, and ${meant} is: correct the name, or unset it`]
  })
}

/** One message for each name that isn't the name of a variable. */
export const unknownNames = (
  environment: Environment,
  variables: Readonly<Record<string, Variable<unknown>>>,
): readonly string[] => {
  const known = knownNames(variables)
  return namesIn(environment)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known)
      return `${name} is no variable of the service${meant === null ? '' : `, and ${meant} is`}: correct the name, or remove the line`
    })
}
