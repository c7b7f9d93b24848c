/**
 * What a package exports so that the service opens its store: `documentStore`, `blobStore`, or both, each one of the
 * declarations below. `STORE=package:<name>` and `BLOBS=package:<name>` choose it.
 */
import type { BlobStore } from './blob-store.js'
import type { Collection, DocumentStore } from './document-store.js'

/** A variable of the environment that the store reads. */
export type StoreVariable = {
  readonly meaning: string
  /** A secret is never shown, and can be in the file that `<NAME>_FILE` names. */
  readonly secret: boolean
  /** The default; null if the variable is required. */
  readonly fallback: string | null
  /** The error of a value, as words that follow the name, such as `must be an address`; null if it is valid. */
  readonly problem: (value: string) => string | null
}

export type StoreVariables = Readonly<Record<string, StoreVariable>>

/** The value of each declared variable, all of them valid. */
export type StoreSettings<V extends StoreVariables> = { readonly [N in keyof V]: string }

type StoreDeclaration<V extends StoreVariables> = {
  readonly variables: V
  /** The variables that identify the store. Messages name them, and a copy into the store requires them. */
  readonly location: readonly (keyof V & string)[]
  /** Where the store is, readable and without secrets. Equal places are the same store. */
  readonly place: (settings: StoreSettings<V>) => string
}

/** How far a store is that migrates a collection while it opens. */
export type MigrationProgress = {
  readonly collection: string
  /** The documents that have been migrated, and about how many there are; both 0 if only tables or indexes are new. */
  readonly done: number
  readonly total: number
}

export type DocumentStorePackage<V extends StoreVariables = StoreVariables> = StoreDeclaration<V> & {
  /**
   * Rejects with an Error. Its message is shown to the operator. `onProgress` writes to the log, at most every five seconds; call
   * it as often as you like while the store migrates.
   */
  readonly open: (
    settings: StoreSettings<V>,
    collections: readonly Collection[],
    onProgress: (progress: MigrationProgress) => void,
  ) => Promise<DocumentStore>
}

export type BlobStorePackage<V extends StoreVariables = StoreVariables> = StoreDeclaration<V> & {
  /** Rejects with an Error. Its message is shown to the operator. */
  readonly open: (settings: StoreSettings<V>) => Promise<BlobStore>
}

/** Infers the types of `open` and `place` from the declared variables. */
export const declareDocumentStore = <V extends StoreVariables>(
  declaration: DocumentStorePackage<V>,
): DocumentStorePackage<V> => declaration

/** Infers the types of `open` and `place` from the declared variables. */
export const declareBlobStore = <V extends StoreVariables>(
  declaration: BlobStorePackage<V>,
): BlobStorePackage<V> => declaration
