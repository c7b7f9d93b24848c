/** What a family of objects is: the kinds of writes of its objects, and how their values are read. */
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { ApiResponse, Api } from '../harness/http-client.js'
import type { Value } from './ledger.js'
import type { Targets, Worker } from './fixed-objects.js'

export type Write = {
  /** The attributes after the write; null if it deletes the object. */
  readonly value: Value
  readonly send: (api: Api) => Promise<ApiResponse>
  /** Statuses by which the service may reject the write because of concurrent writes. */
  readonly rejections?: readonly number[] | undefined
}

export type Choice = {
  /** The path of the object, possibly followed by `#` and an attribute. */
  readonly name: string
  readonly current: Value
  readonly worker: Worker
  readonly targets: Targets
  /** The ids of existing objects of a collection that workers have created. Another worker may delete them. */
  readonly created: (collection: string) => readonly string[]
}

export type Family = {
  /** How often the family is chosen, relative to the others. Default: 1. */
  readonly weight?: number
  /** The collection of objects that workers create and delete. */
  readonly collection?: string
  /** The collection of objects with fixed names that workers delete and restore. */
  readonly lists?: string
  /** Instead of a collection: the names that a worker writes, with their initial values. */
  readonly names?: (worker: Worker, targets: Targets) => Readonly<Record<string, Value>>
  readonly next: (choice: Choice) => Write
  /** Whether a write goes on after a crash, once a process has started. */
  readonly goesOn?: boolean
  /** Reads the current value without caches. Default: the object at the path. */
  readonly read?: (api: Api, name: string, targets: Targets) => Promise<Json>
}

/** Bypasses all caches. */
export const fresh = { 'Cache-Control': 'no-cache' } as const

/** The path in the name of an object or attribute. */
export const pathOf = (name: string): string => name.split('#')[0] ?? ''
export const attributeOf = (name: string): string => name.split('#')[1] ?? ''

export const percent = ({ random }: Targets, share: number): boolean => random.below(100) < share

type Rejections = readonly number[]

export const put = (path: string, value: JsonObject, rejections?: Rejections): Write => ({
  value,
  send: (api) => api.put(path, value),
  rejections,
})

export const patch = ({ name, current }: Choice, changes: JsonObject, rejections?: Rejections): Write => ({
  value: { ...current, ...changes },
  send: (api) => api.patch(pathOf(name), changes),
  rejections,
})

export const remove = (path: string, rejections?: Rejections): Write => ({
  value: null,
  send: (api) => api.delete(path),
  rejections,
})

export const listOf = (current: Value): readonly Json[] => {
  const items = current?.['items']
  return Array.isArray(items) ? items : []
}
