/** Names in an environment that the service doesn't read, and the ones that were probably meant. */
import type { Variable } from './configuration-table.js'
import type { Environment } from './read-configuration.js'
import { similarWords } from './spelling.js'

/** Variables of other programs whose names are similar to one of the service: node-gyp, which npm runs, reads JOBS. */
const namesOfOthers: ReadonlySet<string> = new Set(['JOBS'])

/**
 * One message for each name that isn't the name of a variable. In an environment that other programs use too, only for
 * names that are nearly one.
 */
export const wrongNames = (
  environment: Environment,
  variables: Readonly<Record<string, Variable<unknown>>>,
  isShared: boolean,
): readonly string[] => {
  const known = Object.entries(variables).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  return Object.keys(environment).flatMap((name) => {
    if (environment[name] === undefined || known.includes(name)) return []
    const [meant] = similarWords(name, known)
    if (isShared && (meant === undefined || namesOfOthers.has(name))) return []
    return [
      `${name} is no variable of the service${meant === undefined ? '' : `, and ${meant} is`}: correct the name, or remove it`,
    ]
  })
}
