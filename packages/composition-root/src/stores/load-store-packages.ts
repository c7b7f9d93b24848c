/** Loads the packages that STORE and BLOBS name, and rejects one that is not a store, with what it lacks. */
import { E, type Either } from '@publishing-service/domain'
import type { BlobStorePackage, DocumentStorePackage } from '@publishing-service/ports'
import { errorText, optionalPackage } from '../error-messages.js'
import { configurationTable, packagePrefix } from '../configuration-table.js'
import type { ChosenPackage, StorePackages } from './packaged-stores.js'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names that a declaration may not use, since the service reads them itself. */
const reserved: ReadonlySet<string> = new Set(
  Object.keys(configurationTable).flatMap((name) => [name, `${name}_FILE`]),
)

const variableFaults = (name: string, variable: unknown): readonly string[] => {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return [`variables.${name}: a name has A-Z, 0-9 and underscore`]
  if (reserved.has(name)) return [`variables.${name}: the service reads a variable of this name itself`]
  if (!isObject(variable)) return [`variables.${name} must be an object`]
  const { meaning, secret, fallback, problem } = variable
  return [
    ...(typeof meaning === 'string' && meaning !== '' ? [] : ['meaning must be a text']),
    ...(typeof secret === 'boolean' ? [] : ['secret must be true or false']),
    ...(typeof fallback === 'string' || fallback === null ? [] : ['fallback must be a text or null']),
    ...(typeof problem === 'function' ? [] : ['problem must be a function']),
  ].map((fault) => `variables.${name}.${fault}`)
}

/** The errors of an exported value as a declaration; empty if it is valid. */
const declarationFaults = (value: unknown): readonly string[] => {
  if (!isObject(value)) return ['it must be an object']
  const { variables, location, place, open } = value
  const names = isObject(variables) ? Object.keys(variables) : []
  return [
    ...(isObject(variables)
      ? Object.entries(variables).flatMap(([name, each]) => variableFaults(name, each))
      : ['variables must be an object of declared variables']),
    ...(Array.isArray(location) && location.every((each) => names.includes(String(each)))
      ? []
      : ['location must be a list of names from variables']),
    ...(typeof place === 'function' ? [] : ['place must be a function']),
    ...(typeof open === 'function' ? [] : ['open must be a function']),
  ]
}

const isDocumentStorePackage = (value: unknown): value is DocumentStorePackage =>
  declarationFaults(value).length === 0
const isBlobStorePackage = (value: unknown): value is BlobStorePackage =>
  declarationFaults(value).length === 0

/** What a package exports, by the variable that chooses it. */
const exportedNames = { STORE: 'documentStore', BLOBS: 'blobStore' } as const

type Chooser = keyof typeof exportedNames

const explained = 'docs/write-an-adapter.md describes what a package exports'

const faultsOf = (chooser: Chooser, name: string, value: unknown, exports: readonly string[]): string => {
  const exported = exportedNames[chooser]
  const faults =
    value === undefined
      ? [`it exports no ${exported}, but ${exports.length === 0 ? 'nothing' : exports.join(', ')}`]
      : declarationFaults(value).map((fault) => `${exported}: ${fault}`)
  return `${chooser}: the package ${name} can’t be used: ${faults.join('; ')}. ${explained}`
}

/** Returns the exports of a package. */
type ImportPackage = (name: string) => Promise<unknown>

const importInstalled: ImportPackage = (name) => import(name)

const exportsOf = async (
  chooser: Chooser,
  name: string,
  importPackage: ImportPackage,
): Promise<Either<string, ReadonlyMap<string, unknown>>> => {
  try {
    const exported: unknown = await optionalPackage(
      name,
      () => importPackage(name),
      `it isn’t installed. Install it next to the service: npm install --no-save ${name}`,
    )
    return E.right(new Map(Object.entries(isObject(exported) ? exported : {})))
  } catch (error) {
    return E.left(`${chooser}: the package ${name} can’t be loaded: ${errorText(error)}`)
  }
}

const load = async <D>(
  chooser: Chooser,
  value: string,
  isDeclaration: (exported: unknown) => exported is D,
  importPackage: ImportPackage,
): Promise<Either<string, ChosenPackage<D> | null>> => {
  if (!value.startsWith(packagePrefix) || E.isLeft(configurationTable[chooser].codec.decode(value)))
    return E.right(null)
  const name = value.slice(packagePrefix.length)
  const found = await exportsOf(chooser, name, importPackage)
  if (E.isLeft(found)) return found
  const declaration = found.right.get(exportedNames[chooser])
  return isDeclaration(declaration)
    ? E.right({ choice: value, declaration })
    : E.left(faultsOf(chooser, name, declaration, [...found.right.keys()]))
}

/** Two packages with one variable would each read what is meant for the other. */
const sharedVariables = ({ documents, blobs }: StorePackages): readonly string[] => {
  if (documents === null || blobs === null || documents.choice === blobs.choice) return []
  return Object.keys(documents.declaration.variables)
    .filter((name) => Object.hasOwn(blobs.declaration.variables, name))
    .map(
      (name) => `${name} is a variable of both ${documents.choice} and ${blobs.choice}: use only one of them`,
    )
}

/** The packages that an environment chooses, or what is wrong with them. */
export const loadStorePackages = async (
  environment: Readonly<Record<string, string | undefined>>,
  importPackage: ImportPackage = importInstalled,
): Promise<Either<readonly string[], StorePackages>> => {
  const documents = await load('STORE', environment['STORE'] ?? '', isDocumentStorePackage, importPackage)
  const blobs = await load('BLOBS', environment['BLOBS'] ?? '', isBlobStorePackage, importPackage)
  if (E.isLeft(documents) || E.isLeft(blobs))
    return E.left([documents, blobs].filter(E.isLeft).map(({ left }) => left))
  const packages = { documents: documents.right, blobs: blobs.right }
  const shared = sharedVariables(packages)
  return shared.length > 0 ? E.left(shared) : E.right(packages)
}
