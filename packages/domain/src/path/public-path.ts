import type { JsonObject } from '../json.js'
import { derived, stored, type DerivedAttribute } from '../resource/attribute.js'
import { attributeIn } from '../resource/table-entries.js'
import type { Lookup } from '../resource/read-plan.js'
import type { ViewContext } from '../resource/view-context.js'
import { reference } from '../value/reference.js'
import { urlname } from '../value/text.js'

/** Maximum depth of sections. It also limits every walk along parents. */
export const maxSectionDepth = 20

/** How the public path of an object is computed: its prefix, and the attribute that refers to its section. */
export type PathRule = {
  readonly prefix: string
  readonly section?: string
  /** The key whose order an index of what the public sees has, for the sitemap; that of creation by default. */
  readonly listedBy?: string
}

/** The attributes from which paths are computed. */
export const placeAttributes = {
  urlname: stored(urlname, 'Name in public paths.', { required: true }),
  parent_uuid: stored(reference('sections'), 'Parent of a section; null at the top.'),
} as const

/** The name of an object in its public path. */
export const urlnameOf = (state: JsonObject): string => String(attributeIn(placeAttributes, 'urlname', state))

/** The sections above an object, the nearest first. */
const sectionsAbove = (
  rule: PathRule,
  state: JsonObject,
  find: ViewContext['find'],
): readonly JsonObject[] => {
  const sections: JsonObject[] = []
  let id = rule.section === undefined ? null : state[rule.section]
  while (typeof id === 'string' && sections.length < maxSectionDepth) {
    const section = find('sections', id)
    if (section === undefined) break
    sections.push(section)
    id = attributeIn(placeAttributes, 'parent_uuid', section)
  }
  return sections
}

/** The look-ups that the path of an object needs. */
export const pathLookups = (rule: PathRule, state: JsonObject): readonly Lookup[] => {
  const id = rule.section === undefined ? null : state[rule.section]
  return typeof id === 'string'
    ? [{ reference: { path: '', collection: 'sections', id }, chain: 'parent_uuid' }]
    : []
}

/** `/<section urlnames…>/<urlname>/` on the public website (docs/behaviour/paths.md#public-path). */
export const publicPath = (rule: PathRule, state: JsonObject, find: ViewContext['find']): string => {
  const names = [state, ...sectionsAbove(rule, state, find)].map(urlnameOf)
  return `${rule.prefix}${names.toReversed().join('/')}/`
}

/**
 * The paths that an object had below the old paths of its sections. They are derived from the stored old paths of the
 * sections, and are not stored.
 */
export const pathsBelowOldSections = (
  rule: PathRule,
  state: JsonObject,
  find: ViewContext['find'],
  oldPathsOf: (section: JsonObject) => readonly string[],
): readonly string[] => {
  let below = `${urlnameOf(state)}/`
  return sectionsAbove(rule, state, find).flatMap((section) => {
    const paths = oldPathsOf(section).map((old) => `${old.endsWith('/') ? old : `${old}/`}${below}`)
    below = `${urlnameOf(section)}/${below}`
    return paths
  })
}

/** The attributes that the paths of an object are computed from, as a derived attribute needs them. */
export const pathSources = ({ section }: PathRule) => ({
  needs: section === undefined ? [] : [section],
  chain: 'parent_uuid',
})

/** The public path as an attribute. */
export const pathAttribute = (rule: PathRule): DerivedAttribute<JsonObject> =>
  derived(
    { type: 'string' },
    'Public path on the website.',
    (state: JsonObject, view) => publicPath(rule, state, view.find),
    pathSources(rule),
  )

/** What a website does with a path: it shows an object, or it redirects. */
export type Resolution =
  | { readonly type: string; readonly uuid: string; readonly url: string; readonly path: string }
  | { readonly type: 'redirect'; readonly location: string; readonly status: 301 | 302 }
