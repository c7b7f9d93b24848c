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
  /** The value where it isn't set; null where it must be set. */
  readonly fallback: string | null
  /** What is wrong with a value, in words that follow the name, such as `must be an address`; null for a valid one. */
  readonly problem: (value: string) => string | null
}

export type StoreVariables = Readonly<Record<string, StoreVariable>>

/** The value of each declared variable, all of them valid. */
export type StoreSettings<V extends StoreVariables> = { readonly [N in keyof V]: string }

type StoreDeclaration<V extends StoreVariables> = {
  readonly variables: V
  /** The variables that say which store it is: messages name them, and a copy into the store needs them to be set. */
  readonly location: readonly (keyof V & string)[]
  /** Where the store is, as people read it, without secrets. Equal places are the same store. */
  readonly place: (settings: StoreSettings<V>) => string
}

export type DocumentStorePackage<V extends StoreVariables = StoreVariables> = StoreDeclaration<V> & {
  /** Rejects with an Error whose message is for who starts the service. */
  readonly open: (settings: StoreSettings<V>, collections: readonly Collection[]) => Promise<DocumentStore>
}

export type BlobStorePackage<V extends StoreVariables = StoreVariables> = StoreDeclaration<V> & {
  /** Rejects with an Error whose message is for who starts the service. */
  readonly open: (settings: StoreSettings<V>) => Promise<BlobStore>
}

/** Gives `open` and `place` the types of the declared variables. */
export const declareDocumentStore = <V extends StoreVariables>(
  declaration: DocumentStorePackage<V>,
): DocumentStorePackage<V> => declaration

/** Gives `open` and `place` the types of the declared variables. */
export const declareBlobStore = <V extends StoreVariables>(
  declaration: BlobStorePackage<V>,
): BlobStorePackage<V> => declaration
