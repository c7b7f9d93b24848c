import { E, type Either } from '@publishing-service/domain/fp'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import type { BuiltInStore, Configuration, StoreKind } from './configuration.js'
import { configurationTable, type Variable, type VariableValues } from './configuration-table.js'
import { blobStores, documentStores } from './stores/built-in-stores.js'
import { noStorePackages, type StorePackages } from './stores/store-packages.js'
import { messageOf } from './thrown-errors.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the file of a secret. Throws the error of the file system. */
type ReadFile = (path: string) => string

const shown = (value: string, { secret }: Variable<unknown>): string =>
  secret ? 'its value' : `«${value.length > 60 ? `${value.slice(0, 60)}…` : value}»`

/** What is wrong with a variable. An empty value was often meant to be unset. */
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
  if (direct !== undefined) return E.left(`${name} and ${name}_FILE are both set: unset one of them`)
  try {
    return E.right(readFile(file).trim())
  } catch (error) {
    return E.left(`${name}_FILE names a file that can’t be read: ${messageOf(error)}`)
  }
}

/** All variables that are read where these packages are chosen. */
export const variablesWith = (packages: StorePackages): Readonly<Record<string, Variable<unknown>>> => ({
  ...configurationTable,
  ...packages.documents?.variables,
  ...packages.blobs?.variables,
})

/** Built-in stores by the value that chooses them. */
type Kinds<S> = Readonly<Record<string, BuiltInStore<S>>>
const builtInDocuments: Kinds<DocumentStore> = documentStores
const builtInBlobs: Kinds<BlobStore> = blobStores

/** What is wrong with a variable; `names` are those that cannot be used because of it. */
export type WrongVariable = { readonly names: readonly string[]; readonly message: string }

const unmetNeeds = (
  chooser: string,
  kinds: Kinds<unknown>,
  values: Readonly<Record<string, unknown>>,
): readonly WrongVariable[] => {
  const value = String(values[chooser])
  return (kinds[value]?.needed ?? [])
    .filter((each) => values[each] === null)
    .map((each) => ({ names: [each], message: `${each} must be set where ${chooser} is ${value}` }))
}

/** What must be set where a variable is. Without BASE_URL, addresses in mail would be those that a request names. */
const neededWith: Readonly<Partial<Record<keyof VariableValues, readonly (keyof VariableValues)[]>>> = {
  SMTP_URL: ['MAIL_FROM', 'BASE_URL'],
  MAIL_FROM: ['SMTP_URL'],
  OIDC_ISSUER: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'BASE_URL'],
  OIDC_CLIENT_ID: ['OIDC_ISSUER'],
  OIDC_CLIENT_SECRET: ['OIDC_ISSUER'],
  OIDC_BUTTON: ['OIDC_ISSUER'],
  BACKUP_EVERY: ['BACKUP_TO'],
  BACKUP_ACCESS_KEY: ['BACKUP_TO', 'BACKUP_SECRET_KEY'],
  BACKUP_SECRET_KEY: ['BACKUP_ACCESS_KEY'],
}

const missingCompanions = (values: Readonly<Record<string, unknown>>): readonly WrongVariable[] =>
  Object.entries(neededWith)
    .filter(([name]) => (values[name] ?? null) !== null)
    .flatMap(([name, needed]) =>
      needed
        .filter((each) => values[each] === null)
        .map((each) => ({ names: [name, each], message: `${each} must be set where ${name} is` })),
    )

/** Why workers can't use the stores together. */
const unsharedStores = (
  chosen: Readonly<Record<'STORE' | 'BLOBS', Pick<StoreKind<unknown>, 'medium'> | undefined>>,
  workers: unknown,
): readonly WrongVariable[] =>
  typeof workers === 'number' && workers > 1
    ? Object.entries(chosen)
        .filter(([, kind]) => kind?.medium === 'memory')
        .map(([chooser]) => ({
          names: [chooser, 'WORKERS'],
          message: `WORKERS must be 1 where ${chooser} is in memory, which ${workers} workers can’t share: choose another store, or unset WORKERS`,
        }))
    : []

/** A configuration in which wrong variables have their defaults, or null without one, and what is wrong. */
export type ReadVariables = {
  readonly configuration: Configuration
  readonly wrong: readonly WrongVariable[]
}

/** Reads all variables, also if some are wrong. Messages never contain a secret’s value. */
export const readVariables = (
  environment: Environment,
  readFile: ReadFile,
  packages: StorePackages = noStorePackages,
): ReadVariables => {
  const values: Record<string, unknown> = {}
  const wrong: WrongVariable[] = []
  for (const [name, variable] of Object.entries(variablesWith(packages))) {
    const reject = (message: string): void => {
      const fallback = variable.codec.decode(variable.fallback)
      values[name] = E.isRight(fallback) ? fallback.right : null
      wrong.push({ names: [name], message })
    }
    const text = readText(name, variable, environment, readFile)
    if (E.isLeft(text)) {
      reject(text.left)
      continue
    }
    const result = variable.codec.decode(text.right)
    if (E.isRight(result)) values[name] = result.right
    else if (text.right === null) reject(`${name} ${result.left[0]?.message ?? 'must be set'}`)
    else reject(complaint(name, variable, text.right, result.left[0]?.message ?? 'is not valid'))
  }
  const isWrong = (name: string): boolean => wrong.some(({ names }) => names.includes(name))
  // A package that cannot be loaded is reported by who loads it, and its store is not opened.
  const documentStore =
    packages.documents?.kindWith(values) ?? builtInDocuments[String(values['STORE'])] ?? documentStores.sqlite
  const blobStore =
    packages.blobs?.kindWith(values) ?? builtInBlobs[String(values['BLOBS'])] ?? blobStores.filesystem
  // A variable that is wrong is set, so it is not reported as missing too.
  const complete = [
    ...unmetNeeds('STORE', builtInDocuments, values),
    ...unmetNeeds('BLOBS', builtInBlobs, values),
    ...missingCompanions(values),
    ...unsharedStores({ STORE: documentStore, BLOBS: blobStore }, values['WORKERS']),
  ].filter(({ names }) => !isWrong(names.at(-1) ?? ''))
  return {
    configuration: {
      ...values,
      documentStore,
      blobStore,
    } as Configuration,
    wrong: [...wrong, ...complete],
  }
}

/**
 * The configuration of an environment, or one message for each variable that is wrong, never a secret's value.
 * `packages` are those that STORE and BLOBS choose.
 */
export const readConfiguration = (
  environment: Environment,
  readFile: ReadFile,
  packages: StorePackages = noStorePackages,
): Either<readonly string[], Configuration> => {
  const { configuration, wrong } = readVariables(environment, readFile, packages)
  return wrong.length > 0 ? E.left(wrong.map(({ message }) => message)) : E.right(configuration)
}
