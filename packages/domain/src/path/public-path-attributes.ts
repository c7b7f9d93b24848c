import type { JsonObject } from '../json.js'
import { derived, type DerivedAttribute } from '../resource/attribute.js'
import { maxPaths, pathHistory } from './path-history.js'
import { publicPath, type PathRule } from './public-path.js'

const lookups = ({ section }: PathRule) => ({
  needs: section === undefined ? [] : [section],
  chain: 'parent_uuid',
})

/** The public path of an object (docs/behaviour/paths.md#public-path). */
export const pathAttribute = (rule: PathRule): DerivedAttribute<JsonObject> =>
  derived(
    { type: 'string' },
    'Public path on the website.',
    (state: JsonObject, view) => publicPath(rule, state, view.find),
    lookups(rule),
  )

/** What every object with a public path has: the path, and in rows its earlier ones (docs/behaviour/paths.md#lists). */
export const publicPathAttributes = (
  rule: PathRule,
): Readonly<Record<string, DerivedAttribute<JsonObject>>> => ({
  path: pathAttribute(rule),
  path_history: derived(
    { type: 'array', items: { type: 'string' }, maxItems: maxPaths },
    'Earlier public paths, the newest first.',
    (state: JsonObject, view) => pathHistory(rule, state, view.find),
    { ...lookups(rule), rowsOnly: true },
  ),
})
