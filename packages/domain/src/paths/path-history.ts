import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { jsonEqual, type JsonObject } from '../json.js'
import { computed, derived, stored, type AttributeTable } from '../resource/attribute.js'
import { defineItems, draftItem, draftItems } from '../resource/draft-attributes.js'
import { attributeIn } from '../resource/attribute-tables.js'
import type { ViewContext } from '../resource/view-context.js'
import { listOf } from '../value/record.js'
import { textOf } from '../value/text.js'
import type { ValueContext } from '../value/value-type.js'
import {
  pathAttribute,
  pathKey,
  pathsBelowOldSections,
  pathSources,
  publicPath,
  type PathRule,
} from './public-path.js'

/** Maximum number of old paths of one object, stored and derived ones together. */
export const maxPaths = 1000

// Longer than a path through the maximum number of sections with the longest names.
const maxPathLength = 6000

const character = '\\s\\u0000-\\u001f\\u007f?#<>"'
// Two slashes at the start would be the address of another host.
const pattern = `^/([^/\\\\${character}][^${character}]*)?$`

const sitePath = textOf(
  { pattern, maxLength: maxPathLength },
  'a path that starts with one / and contains no spaces, quotes, ?, # or angle brackets',
  (value) => (new RegExp(pattern).test(value) ? value : null),
)

/** The stored earlier paths of an object with a public path (docs/behaviour/paths.md#path-history). */
const pathHistoryAttributes = {
  old_paths: stored(
    listOf(sitePath, maxPaths),
    'Earlier paths that were recorded or added by clients, the newest first.',
    {
      internal: true,
      initial: [],
    },
  ),
  hidden_paths: stored(
    listOf(sitePath, maxPaths),
    'Paths that are derived from old paths of its sections, but were removed from the list.',
    { internal: true, initial: [] },
  ),
} as const

const listed = (state: JsonObject, name: keyof typeof pathHistoryAttributes): readonly string[] =>
  attributeIn(pathHistoryAttributes, name, state) ?? []

/** The path that an object had last before its present one; null if none is stored. */
export const lastEarlierPath = (state: JsonObject): string | null => listed(state, 'old_paths')[0] ?? null

/** The paths below old paths of the sections, without those that are too long. */
const derivedPaths = (rule: PathRule, state: JsonObject, find: ViewContext['find']): readonly string[] =>
  pathsBelowOldSections(rule, state, find, (section) => listed(section, 'old_paths'))
    .filter((path) => path.length <= maxPathLength)
    .slice(0, maxPaths)

/** The earlier public paths of an object: the stored ones, newest first, then those below old paths of its sections. */
export const pathHistory = (
  rule: PathRule,
  state: JsonObject,
  find: ViewContext['find'],
): readonly string[] => {
  const current = publicPath(rule, state, find)
  const hidden = new Set(listed(state, 'hidden_paths'))
  const inherited = derivedPaths(rule, state, find).filter((path) => !hidden.has(path))
  return [...new Set([...listed(state, 'old_paths'), ...inherited])]
    .filter((path) => path !== current)
    .slice(0, maxPaths)
}

/**
 * Adds the previous path to the old paths of a state if a write changed the path. Paths that were derived from its
 * sections are stored too, because other paths are derived after the change.
 */
export const withEarlierPaths = (
  rule: PathRule,
  before: JsonObject,
  state: JsonObject,
  find: ViewContext['find'],
): JsonObject => {
  const current = publicPath(rule, state, find)
  const earlier = [publicPath(rule, before, find), ...pathHistory(rule, before, find)]
  return { ...state, old_paths: earlier.filter((path) => path !== current).slice(0, maxPaths) }
}

const pathAttributes = {
  path: stored(sitePath, 'An earlier public path.', { required: true }),
} as const

/** An item of the path history. */
export const earlierPath = defineItems({
  examples: { bodies: [{ path: '/an-earlier-path/' }] },
  attributes: pathAttributes,
  plural: 'objects with a path',
  check: () => [],
})

const pathIn = (item: JsonObject | undefined): string => attributeIn(pathAttributes, 'path', item) ?? ''

/** Adds an old path from the body `{path}`. */
export const addOldPath = (
  state: JsonObject,
  input: JsonObject,
  context: ValueContext,
): Either<readonly Fault[], JsonObject> => {
  const { items, faults } = draftItem(earlierPath, input, context)
  if (faults.length > 0) return E.left(faults)
  const path = pathIn(items[0])
  const old = listed(state, 'old_paths')
  const hidden_paths = listed(state, 'hidden_paths').filter((each) => each !== path)
  if (old.includes(path)) return E.right({ ...state, hidden_paths })
  return old.length >= maxPaths
    ? E.left([fault('path', 'limit', `an object has at most ${maxPaths} old paths`)])
    : E.right({ ...state, old_paths: [...old, path], hidden_paths })
}

/** Replaces the old paths by those of the body `{items: [{path}]}`. */
export const replaceOldPaths = (
  rule: PathRule,
  state: JsonObject,
  input: JsonObject,
  find: ViewContext['find'],
  context: ValueContext,
): Either<readonly Fault[], JsonObject> => {
  const { items, faults } = draftItems(earlierPath, input, context, maxPaths)
  if (faults.length > 0) return E.left(faults)
  const kept = new Set(items.map(pathIn))
  if (jsonEqual([...kept], pathHistory(rule, state, find))) return E.right(state)
  const hidden_paths = derivedPaths(rule, state, find).filter((path) => !kept.has(path))
  return E.right({ ...state, old_paths: [...kept], hidden_paths })
}

/** The keys by which an object is found by its earlier paths. */
export const pathKeysOf = (state: JsonObject): readonly string[] => [
  ...new Set(listed(state, 'old_paths').map(pathKey)),
]

/** The stored key of these (docs/behaviour/paths.md#resolution). */
export const pastPaths = 'past_paths'

/**
 * What every object with a public path has: the path, its earlier ones, in rows also as an attribute
 * (docs/behaviour/paths.md#lists), and the keys by which it is found by these.
 */
export const publicPathAttributes = (rule: PathRule): AttributeTable => ({
  path: pathAttribute(rule),
  path_history: derived(
    { type: 'array', items: { type: 'string' }, maxItems: maxPaths },
    'Earlier public paths, the newest first.',
    (state: JsonObject, view) => pathHistory(rule, state, view.find),
    { ...pathSources(rule), rowsOnly: true },
  ),
  ...pathHistoryAttributes,
  [pastPaths]: computed('texts', 'Its recorded earlier paths.', ['old_paths'], pathKeysOf, { revision: 2 }),
})

/** What no two objects have in common by the rule of their path, unless their resource says otherwise. */
export const uniqueUrlname =
  (rule: PathRule, { name, collection }: { readonly name: string; readonly collection: string }) =>
  (state: JsonObject) => {
    if (rule.section !== undefined)
      return {
        scope: `section:${String(state[rule.section] ?? 'root')}`,
        message: 'urlname not unique within section',
      }
    return { scope: name, message: `urlname must be unique for ${collection.replaceAll('_', ' ')}` }
  }
