import type { JsonObject } from '../json.js'
import type { Lookup } from '../resource/view.js'
import type { View } from '../resource/view-context.js'

/** Sections nest no deeper than this; it also bounds every walk along parents. */
export const maxSectionDepth = 20

/** How the public path of an object is made: what it begins with, and the attribute that names its section. */
export type PathRule = { readonly prefix: string; readonly section?: string }

/** The sections above an object, the nearest first. */
const sectionsAbove = (rule: PathRule, state: JsonObject, find: View['find']): readonly JsonObject[] => {
  const sections: JsonObject[] = []
  let id = rule.section === undefined ? null : state[rule.section]
  while (typeof id === 'string' && sections.length < maxSectionDepth) {
    const section = find('sections', id)
    if (section === undefined) break
    sections.push(section)
    id = section['parent_uuid']
  }
  return sections
}

/** What has to be looked up to tell an object's path. */
export const pathLookups = (rule: PathRule, state: JsonObject): readonly Lookup[] => {
  const id = rule.section === undefined ? null : state[rule.section]
  return typeof id === 'string'
    ? [{ reference: { path: '', collection: 'sections', id }, chain: 'parent_uuid' }]
    : []
}

/** `/<section urlnames…>/<urlname>/` on the public website (decisions §7). */
export const publicPath = (rule: PathRule, state: JsonObject, find: View['find']): string => {
  const names = [state, ...sectionsAbove(rule, state, find)].map(({ urlname }) => String(urlname))
  return `${rule.prefix}${names.toReversed().join('/')}/`
}

/**
 * The paths that an object had below the old paths of its sections: they follow from what those keep, and are
 * written nowhere.
 */
export const pathsBelowOldSections = (
  rule: PathRule,
  state: JsonObject,
  find: View['find'],
  oldPathsOf: (section: JsonObject) => readonly string[],
): readonly string[] => {
  let below = `${String(state['urlname'])}/`
  return sectionsAbove(rule, state, find).flatMap((section) => {
    const paths = oldPathsOf(section).map((old) => `${old.endsWith('/') ? old : `${old}/`}${below}`)
    below = `${String(section['urlname'])}/${below}`
    return paths
  })
}
