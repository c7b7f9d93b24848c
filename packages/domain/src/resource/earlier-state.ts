/** Earlier states of an object: what differs between two of them, and the draft that has one again (docs/behaviour/history.md). */
import { jsonEqual, type Json, type JsonObject } from '../json.js'
import type { Draft } from './draft-attributes.js'
import { changeOf, type WriteCommand } from './draft-write.js'
import type { DeclaredResource } from './resource.js'
import { stamps } from './standard-attributes.js'
import { tableEntries } from './table-entries.js'
import { attributesOf } from './variant.js'

/** The most characters of the JSON of a value that the record of a change shows. */
const longestShown = 300

const isShort = (value: Json): boolean => JSON.stringify(value).length <= longestShown

/**
 * The attributes that differ, by name, as the audit log shows them: with their values before and after, or without, if
 * one is long or a part of the object with an address of its own (docs/behaviour/administration.md#audit-log).
 */
export const attributeChanges = (
  resource: Pick<DeclaredResource, 'attributes' | 'variant'>,
  before: JsonObject,
  after: JsonObject,
): JsonObject => {
  const changes: Record<string, Json> = {}
  for (const [name, { initial = null, part }] of tableEntries(attributesOf(resource, after)).clientSet) {
    const [was, is] = [before[name] ?? initial, after[name] ?? initial]
    if (name === 'modified' || jsonEqual(was, is)) continue
    changes[name] = part !== true && isShort(was) && isShort(is) ? { before: was, after: is } : {}
  }
  return changes
}

/** A write that gives an object an earlier state again. */
export type RestoreCommand = Pick<WriteCommand, 'id' | 'previous' | 'now' | 'user' | 'settings'> & {
  /** The state that it had. */
  readonly earlier: JsonObject
}

/**
 * The draft of an object with the attributes and parts that clients set in an earlier state. What the service sets, such
 * as the data of a file and the earlier paths, stays as it is, or is as it was if the object does not exist.
 */
export const restoredDraft = (resource: DeclaredResource, command: RestoreCommand): Draft => {
  const { earlier, previous } = command
  const table = attributesOf(resource, earlier)
  const { stored, clientSet, moments, blank } = tableEntries(table)
  const isRestored = new Set([...clientSet, ...moments].map(([name]) => name))
  const state: Record<string, Json> = { ...blank }
  const supplied = new Set<string>()
  for (const [name, { initial = null }] of stored) {
    const isEarlier = previous === null || (isRestored.has(name) && !Object.hasOwn(stamps, name))
    state[name] = (isEarlier ? earlier[name] : previous[name]) ?? initial
    if (!jsonEqual(state[name], previous?.[name] ?? initial)) supplied.add(name)
  }
  supplied.delete('modified')
  const faults = resource.check?.(state, changeOf({ ...command, mode: 'put' }, supplied)) ?? []
  return { state, faults, supplied, partial: {} }
}
