import { E, type Either } from '@publishing-service/domain'
import { configurationTable, neededWhere, type Configuration, type Variable } from './configuration-table.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Reads a secret's file; throws what the file system says. */
export type ReadFile = (path: string) => string

const shown = (value: string, { secret }: Variable<unknown>): string =>
  secret ? 'its value' : `«${value.length > 60 ? `${value.slice(0, 60)}…` : value}»`

/** What is wrong with a variable. An empty value is often one that somebody meant to leave out. */
const complaint = (name: string, variable: Variable<unknown>, value: string, message: string): string =>
  value === ''
    ? `${name} ${message}; it is set, but empty: unset it to have its default`
    : `${name} ${message}; ${shown(value, variable)} is not`

const readText = (
  name: string,
  { fallback, secret }: Variable<unknown>,
  environment: Environment,
  readFile: ReadFile,
): Either<string, string | null> => {
  const direct = environment[name]
  const file = secret ? environment[`${name}_FILE`] : undefined
  if (file === undefined) return E.right(direct ?? fallback)
  if (direct !== undefined) return E.left(`${name} and ${name}_FILE are both set: keep one of them`)
  try {
    return E.right(readFile(file).trim())
  } catch (error) {
    return E.left(
      `${name}_FILE names a file that can’t be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The configuration that an environment holds, or one message for each variable that is wrong, never a secret's value. */
export const readConfiguration = (
  environment: Environment,
  readFile: ReadFile,
): Either<readonly string[], Configuration> => {
  const values: Record<string, unknown> = {}
  const messages: string[] = []
  for (const [name, variable] of Object.entries<Variable<unknown>>(configurationTable)) {
    const text = readText(name, variable, environment, readFile)
    if (E.isLeft(text)) {
      messages.push(text.left)
      continue
    }
    const result = variable.codec.decode(text.right)
    if (E.isRight(result)) values[name] = result.right
    else messages.push(complaint(name, variable, text.right ?? '', result.left[0]?.message ?? 'is not valid'))
  }
  for (const { name, value, needed } of neededWhere) {
    if (values[name] !== value) continue
    messages.push(
      ...needed
        .filter((each) => values[each] === null)
        .map((each) => `${each} must be set where ${name} is ${value}`),
    )
  }
  return messages.length > 0 ? E.left(messages) : E.right(values as Configuration)
}
