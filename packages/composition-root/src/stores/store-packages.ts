/** Stores of the installed packages that STORE and BLOBS name. One that is incomplete is rejected, with what it lacks. */
import { collections } from '@publishing-service/application'
import { codecOf, E, type Either } from '@publishing-service/domain/fp'
import type {
  BlobStore,
  BlobStorePackage,
  DocumentStore,
  DocumentStorePackage,
  Log,
  StoreSettings,
  StoreVariable,
  StoreVariables,
} from '@publishing-service/ports'
import { configurationTable, packagePrefix, type Variable } from '../configuration-table.js'
import type { StoreKind } from '../configuration.js'
import { errorText, naming, optionalPackage } from '../error-messages.js'
import { messageOf } from '../thrown-errors.js'
import { migrationLog } from './migration-log.js'

type Values = Readonly<Record<string, unknown>>

/** A package, as STORE or BLOBS chooses it. */
type ChosenPackage<S> = {
  /** Read like the variables of the service. */
  readonly variables: Readonly<Record<string, Variable<string>>>
  /** `values` has the valid value of each variable. */
  readonly kindWith: (values: Values) => StoreKind<S>
}

/** The packages that STORE and BLOBS choose; null where the store is built in. */
export type StorePackages = {
  readonly documents: ChosenPackage<DocumentStore> | null
  readonly blobs: ChosenPackage<BlobStore> | null
}

export const noStorePackages: StorePackages = { documents: null, blobs: null }

/** What a package exports for a port, and the functions of its store. */
type StorePort<S> = {
  readonly chooser: 'STORE' | 'BLOBS'
  readonly name: string
  readonly exported: string
  readonly required: readonly (keyof S)[]
}

const documentPort: StorePort<DocumentStore> = {
  chooser: 'STORE',
  name: 'document store',
  exported: 'documentStore',
  required: [
    'get',
    'getRelated',
    'find',
    'findTexts',
    'count',
    'countTexts',
    'write',
    'snapshot',
    'check',
    'close',
  ],
}

const blobPort: StorePort<BlobStore> = {
  chooser: 'BLOBS',
  name: 'blob store',
  exported: 'blobStore',
  required: ['write', 'read', 'size', 'remove', 'list', 'check', 'close'],
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFunction = (value: unknown): boolean => typeof value === 'function'

/** The faults whose check has failed. */
const failed = (checks: readonly (readonly [isValid: boolean, fault: string])[]): readonly string[] =>
  checks.flatMap(([isValid, fault]) => (isValid ? [] : [fault]))

/** Names that a declaration may not use, since the service reads them itself. */
const reserved = new Set(Object.keys(configurationTable).flatMap((name) => [name, `${name}_FILE`]))

const variableFaults = ([name, variable]: readonly [string, unknown]): readonly string[] => {
  const path = `variables.${name}`
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return [`${path}: a name has A-Z, 0-9 and underscore`]
  if (reserved.has(name)) return [`${path}: the service reads a variable of this name itself`]
  if (!isObject(variable)) return [`${path} must be an object`]
  const { meaning, secret, fallback, problem } = variable
  return failed([
    [typeof meaning === 'string' && meaning !== '', `${path}.meaning must be a text`],
    [typeof secret === 'boolean', `${path}.secret must be true or false`],
    [typeof fallback === 'string' || fallback === null, `${path}.fallback must be a text or null`],
    [isFunction(problem), `${path}.problem must be a function`],
  ])
}

/** The errors of an exported value as a declaration; empty if it is valid. */
const declarationFaults = (value: unknown): readonly string[] => {
  if (!isObject(value)) return ['it must be an object']
  const { variables, location, place, open } = value
  const declared = isObject(variables) ? variables : {}
  const isNames = Array.isArray(location) && location.every((name) => Object.hasOwn(declared, String(name)))
  return [
    ...Object.entries(declared).flatMap(variableFaults),
    ...failed([
      [isObject(variables), 'variables must be an object of declared variables'],
      [isNames, 'location must be a list of names from variables'],
      [isFunction(place), 'place must be a function'],
      [isFunction(open), 'open must be a function'],
    ]),
  ]
}

type Declaration<S> = Pick<BlobStorePackage, 'variables' | 'location' | 'place'> & {
  readonly open: (...call: Parameters<DocumentStorePackage['open']>) => Promise<S>
}

const isDeclaration = <S>(value: unknown): value is Declaration<S> => declarationFaults(value).length === 0

/**
 * A store with the functions of its port as its own properties: it can be an instance of a class, and copies have own
 * properties only. A package in JavaScript is checked by no compiler, so a function may be missing.
 */
const withOwnFunctions = <S extends object>(store: S, { name, required }: StorePort<S>): S => {
  const missing = required.filter((each) => !isFunction(store[each]))
  if (missing.length > 0) throw new Error(`the ${name} lacks ${missing.join(', ')}`)
  const own: S = Object.create(store)
  for (const each of required) {
    const found = store[each]
    own[each] = typeof found === 'function' ? found.bind(store) : found
  }
  return own
}

const asVariable = (chooser: string, choice: string, declared: StoreVariable): Variable<string> => ({
  description: declared.meaning,
  fallback: declared.fallback,
  ...(declared.secret ? { secret: true } : {}),
  codec: codecOf<string>('setting', (value) => {
    if (typeof value !== 'string') return E.left(`must be set where ${chooser} is ${choice}`)
    const problem = declared.problem(value)
    return problem === null ? E.right(value) : E.left(problem)
  }),
})

const withoutSecrets = (
  text: string,
  variables: StoreVariables,
  settings: StoreSettings<StoreVariables>,
): string =>
  Object.entries(variables).reduce((rest, [name, { secret }]) => {
    const value = settings[name] ?? ''
    return secret && value !== '' ? rest.replaceAll(value, '[hidden]') : rest
  }, text)

const chosenPackage = <S extends object>(
  port: StorePort<S>,
  choice: string,
  { variables, location, place, open }: Declaration<S>,
): ChosenPackage<S> => ({
  variables: Object.fromEntries(
    Object.entries(variables).map(([name, declared]) => [name, asVariable(port.chooser, choice, declared)]),
  ),
  kindWith: (values) => {
    const settings = Object.fromEntries(Object.keys(variables).map((name) => [name, String(values[name])]))
    const opened = async (log: Log): Promise<S> => {
      try {
        return withOwnFunctions(await open(settings, collections, migrationLog(log)), port)
      } catch (error) {
        throw new Error(`${choice}: ${withoutSecrets(messageOf(error), variables, settings)}`, {
          cause: error,
        })
      }
    }
    return {
      location,
      medium: 'other',
      describe: null,
      examine: null,
      place: () => `${choice}, ${withoutSecrets(place(settings), variables, settings)}`,
      open: (_, log) => naming(Object.fromEntries(location.map((name) => [name, name])), opened(log)),
    }
  },
})

/** Returns the exports of a package. */
type ImportPackage = (name: string) => Promise<unknown>

/** The package that a variable chooses, null if it chooses none, or what is wrong with it. */
const load = async <S extends object>(
  port: StorePort<S>,
  environment: Readonly<Record<string, string | undefined>>,
  importPackage: ImportPackage,
): Promise<Either<string, ChosenPackage<S> | null>> => {
  const { chooser, exported } = port
  const value = environment[chooser] ?? ''
  // An invalid name is reported with the other variables.
  if (!value.startsWith(packagePrefix) || E.isLeft(configurationTable[chooser].codec.decode(value)))
    return E.right(null)
  const name = value.slice(packagePrefix.length)
  const failure = (how: string): Either<string, never> =>
    E.left(`${chooser}: the package ${name} can’t be ${how}`)
  try {
    const found = await optionalPackage(
      name,
      () => importPackage(name),
      `it isn’t installed. Install it next to the service: npm install --no-save ${name}`,
    )
    const exports = isObject(found) ? found : {}
    const declaration = exports[exported]
    if (isDeclaration<S>(declaration)) return E.right(chosenPackage(port, value, declaration))
    const faults =
      declaration === undefined
        ? [`it exports no ${exported}, but ${Object.keys(exports).join(', ') || 'nothing'}`]
        : declarationFaults(declaration).map((fault) => `${exported}: ${fault}`)
    return failure(`used: ${faults.join('; ')}. docs/write-an-adapter.md describes what a package exports`)
  } catch (error) {
    return failure(`loaded: ${errorText(error)}`)
  }
}

/** The packages that an environment chooses, or what is wrong with them. */
export const loadStorePackages = async (
  environment: Readonly<Record<string, string | undefined>>,
  importPackage: ImportPackage = (name) => import(name),
): Promise<Either<readonly string[], StorePackages>> => {
  const documents = await load(documentPort, environment, importPackage)
  const blobs = await load(blobPort, environment, importPackage)
  if (E.isLeft(documents) || E.isLeft(blobs))
    return E.left([documents, blobs].filter(E.isLeft).map(({ left }) => left))
  const { STORE, BLOBS } = environment
  // Two packages with one variable would each read what is meant for the other.
  const shared =
    STORE === BLOBS
      ? []
      : Object.keys(documents.right?.variables ?? {})
          .filter((name) => Object.hasOwn(blobs.right?.variables ?? {}, name))
          .map((name) => `${name} is a variable of both ${STORE} and ${BLOBS}: use only one of them`)
  return shared.length > 0 ? E.left(shared) : E.right({ documents: documents.right, blobs: blobs.right })
}
