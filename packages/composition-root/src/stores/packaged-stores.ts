/** Stores of installed packages, as kinds of store: their variables are read and their messages are like any other's. */
import { collections } from '@publishing-service/application'
import { codecOf, E } from '@publishing-service/domain'
import type {
  BlobStore,
  BlobStorePackage,
  DocumentStore,
  DocumentStorePackage,
  StoreSettings,
  StoreVariable,
  StoreVariables,
} from '@publishing-service/ports'
import type { Variable } from '../configuration-table.js'
import type { StoreKind } from '../configuration.js'
import { messageOf, naming } from '../error-messages.js'

// A store of a package can be an instance of a class, and spreading copies only its own properties.
const plainDocumentStore = (store: DocumentStore): DocumentStore => ({
  get: (...call) => store.get(...call),
  getMany: (...call) => store.getMany(...call),
  find: (...call) => store.find(...call),
  findTexts: (...call) => store.findTexts(...call),
  countGroups: (...call) => store.countGroups(...call),
  insert: (...call) => store.insert(...call),
  replace: (...call) => store.replace(...call),
  remove: (...call) => store.remove(...call),
  check: () => store.check(),
  close: () => store.close(),
  ...(store.searchIndex === undefined ? {} : { searchIndex: store.searchIndex }),
})

const plainBlobStore = (store: BlobStore): BlobStore => ({
  write: (...call) => store.write(...call),
  read: (...call) => store.read(...call),
  size: (key) => store.size(key),
  remove: (path) => store.remove(path),
  list: (path) => store.list(path),
  check: () => store.check(),
  close: () => store.close(),
})

/**
 * The functions of its port that a store lacks, `own` being the copy of it by its own properties: a package in JavaScript
 * is checked by no compiler.
 */
const missingFunctions = (store: object, own: object): readonly string[] =>
  Object.keys(own).filter((name) => {
    const found: unknown = Reflect.get(store, name)
    return typeof found !== 'function'
  })

/** A declaration, and the value of STORE or BLOBS that chooses it. */
export type ChosenPackage<D> = { readonly choice: string; readonly declaration: D }

/** The packages that STORE and BLOBS choose; null where the store is built in. */
export type StorePackages = {
  readonly documents: ChosenPackage<DocumentStorePackage> | null
  readonly blobs: ChosenPackage<BlobStorePackage> | null
}

export const noStorePackages: StorePackages = { documents: null, blobs: null }

type Declared = Pick<DocumentStorePackage | BlobStorePackage, 'variables' | 'location' | 'place'>

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

const variablesOf = (
  chooser: string,
  chosen: ChosenPackage<Declared> | null,
): Readonly<Record<string, Variable<string>>> =>
  Object.fromEntries(
    Object.entries(chosen?.declaration.variables ?? {}).map(([name, declared]) => [
      name,
      asVariable(chooser, chosen?.choice ?? '', declared),
    ]),
  )

/** The variables that the chosen packages declare. */
export const packageVariables = ({
  documents,
  blobs,
}: StorePackages): Readonly<Record<string, Variable<string>>> => ({
  ...variablesOf('STORE', documents),
  ...variablesOf('BLOBS', blobs),
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

const kindOf = <S extends object>(
  { choice, declaration }: ChosenPackage<Declared>,
  port: 'document store' | 'blob store',
  values: Readonly<Record<string, unknown>>,
  open: (settings: StoreSettings<StoreVariables>) => Promise<S>,
  plain: (store: S) => S,
): StoreKind<S> => {
  const { variables, location, place } = declaration
  const settings = Object.fromEntries(Object.keys(variables).map((name) => [name, String(values[name])]))
  const opened = async (): Promise<S> => {
    try {
      const store = await open(settings)
      const own = plain(store)
      const missing = missingFunctions(store, own)
      if (missing.length === 0) return own
      throw new Error(`the ${port} lacks ${missing.join(', ')}`)
    } catch (error) {
      throw new Error(`${choice}: ${withoutSecrets(messageOf(error), variables, settings)}`, { cause: error })
    }
  }
  return {
    location,
    medium: 'other',
    place: () => `${choice}, ${withoutSecrets(place(settings), variables, settings)}`,
    open: () => naming(Object.fromEntries(location.map((name) => [name, name])), opened()),
  }
}

/** `values` has the valid value of each variable. */
export const packagedStores = (
  { documents, blobs }: StorePackages,
  values: Readonly<Record<string, unknown>>,
): { readonly documents: StoreKind<DocumentStore> | null; readonly blobs: StoreKind<BlobStore> | null } => ({
  documents:
    documents &&
    kindOf(
      documents,
      'document store',
      values,
      (settings) => documents.declaration.open(settings, collections),
      plainDocumentStore,
    ),
  blobs:
    blobs &&
    kindOf(blobs, 'blob store', values, (settings) => blobs.declaration.open(settings), plainBlobStore),
})
