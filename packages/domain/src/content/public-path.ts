import type { JsonObject } from '../json.js'
import type { View } from '../resource/view-context.js'

/** Sections nest no deeper than this; it also bounds every walk along parents. */
export const maxSectionDepth = 20

/** `/<section urlnames…>/<urlname>/` of a content object or section (decisions §7). */
export const publicPath = (state: JsonObject, find: View['find'], parent = 'section_uuid'): string => {
  const names = [String(state['urlname'])]
  let id = state[parent]
  for (let depth = 0; typeof id === 'string' && depth < maxSectionDepth; depth += 1) {
    const section = find('sections', id)
    if (section === undefined) break
    names.unshift(String(section['urlname']))
    id = section['parent_uuid']
  }
  return `/${names.join('/')}/`
}
