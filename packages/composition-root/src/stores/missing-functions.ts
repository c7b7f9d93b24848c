/** Whether what a package opens has every function of its port: a package in JavaScript is checked by no compiler. */
import type { BlobStore, DocumentStore } from '@publishing-service/ports'

const documentStoreFunctions: Readonly<Record<keyof DocumentStore, true>> = {
  get: true,
  getMany: true,
  find: true,
  tally: true,
  insert: true,
  replace: true,
  remove: true,
  check: true,
  close: true,
}

const blobStoreFunctions: Readonly<Record<keyof Omit<BlobStore, 'file'>, true>> = {
  write: true,
  read: true,
  size: true,
  remove: true,
  list: true,
  check: true,
  close: true,
}

const functionsOf = { 'document store': documentStoreFunctions, 'blob store': blobStoreFunctions } as const

export type StorePort = keyof typeof functionsOf

/** The names of the functions that it lacks. */
export const missingFunctions = (store: object, port: StorePort): readonly string[] =>
  Object.keys(functionsOf[port]).filter((name) => {
    const found: unknown = Reflect.get(store, name)
    return typeof found !== 'function'
  })
