import { fault, type Fault } from '../fault.js'
import { E, type Either } from '../fp.js'
import { jsonEqual, type JsonObject } from '../json.js'
import { stored } from '../resource/attribute.js'
import { defineItems, draftItem, draftItems } from '../resource/draft-items.js'
import { partOf } from '../resource/table-entries.js'
import type { View } from '../resource/view-context.js'
import { listOf } from '../value/list.js'
import { textOf } from '../value/text.js'
import type { ValueContext } from '../value/value-type.js'
import { pathsBelowOldSections, publicPath, type PathRule } from './public-path.js'

/** Old paths of one object, its own and those that follow from its sections’ together. */
export const maxPaths = 1000

// Longer than the path through the most sections, with the longest names.
const maxPathLength = 6000

const pattern = '^/[^\\s\\u0000-\\u001f\\u007f?#<>"]*$'

const sitePath = textOf(
  { pattern, maxLength: maxPathLength },
  'a path that starts with / and holds no spaces, quotes, ?, # or angle brackets',
  (value) => (new RegExp(pattern).test(value) ? value : null),
)

/** What an object with a public path stores of its earlier ones (docs/behaviour/paths.md#path-history). */
export const pathHistoryAttributes = {
  old_paths: stored(listOf(sitePath, maxPaths), 'Paths it had, or is said to have had, the newest first.', {
    internal: true,
    initial: [],
  }),
  hidden_paths: stored(
    listOf(sitePath, maxPaths),
    'Paths that follow from old ones of its sections, but were taken off the list.',
    { internal: true, initial: [] },
  ),
} as const

const listed = (state: JsonObject, name: keyof typeof pathHistoryAttributes): readonly string[] =>
  partOf(pathHistoryAttributes, state)[name] ?? []

/** The paths below old ones of the sections, as far as they can be old paths of an object. */
const derivedPaths = (rule: PathRule, state: JsonObject, find: View['find']): readonly string[] =>
  pathsBelowOldSections(rule, state, find, (section) => listed(section, 'old_paths'))
    .filter((path) => path.length <= maxPathLength)
    .slice(0, maxPaths)

/** The earlier public paths of an object: its own, the newest first, then those below old paths of its sections. */
export const pathHistory = (rule: PathRule, state: JsonObject, find: View['find']): readonly string[] => {
  const current = publicPath(rule, state, find)
  const hidden = new Set(listed(state, 'hidden_paths'))
  const derived = derivedPaths(rule, state, find).filter((path) => !hidden.has(path))
  return [...new Set([...listed(state, 'old_paths'), ...derived])]
    .filter((path) => path !== current)
    .slice(0, maxPaths)
}

/**
 * The state that a write makes of another under a new path, with the one from before among its old ones. Those that
 * followed from its sections until now are stored with it, since from the new name or section others will follow.
 */
export const withEarlierPaths = (
  rule: PathRule,
  before: JsonObject,
  state: JsonObject,
  find: View['find'],
): JsonObject => {
  const current = publicPath(rule, state, find)
  const earlier = [publicPath(rule, before, find), ...pathHistory(rule, before, find)]
  return { ...state, old_paths: earlier.filter((path) => path !== current).slice(0, maxPaths) }
}

const pathAttributes = {
  path: stored(sitePath, 'An earlier public path.', { required: true }),
} as const

/** An earlier path as it is listed, written and added. */
export const earlierPath = defineItems({
  attributes: pathAttributes,
  plural: 'objects with a path',
  check: () => [],
})

const pathIn = (item: JsonObject | undefined): string => partOf(pathAttributes, item).path ?? ''

/** The state with one more old path: `{path}`. */
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
    ? E.left([fault('path', `an object has at most ${maxPaths} old paths`)])
    : E.right({ ...state, old_paths: [...old, path], hidden_paths })
}

/** The state with exactly these old paths: `{items: [{path}]}`. */
export const replaceOldPaths = (
  rule: PathRule,
  state: JsonObject,
  input: JsonObject,
  find: View['find'],
  context: ValueContext,
): Either<readonly Fault[], JsonObject> => {
  const { items, faults } = draftItems(earlierPath, input, context, maxPaths)
  if (faults.length > 0) return E.left(faults)
  const kept = new Set(items.map(pathIn))
  if (jsonEqual([...kept], pathHistory(rule, state, find))) return E.right(state)
  const hidden_paths = derivedPaths(rule, state, find).filter((path) => !kept.has(path))
  return E.right({ ...state, old_paths: [...kept], hidden_paths })
}
