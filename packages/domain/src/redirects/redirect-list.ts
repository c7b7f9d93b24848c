/** All redirects of a website as one list, for hosts of static websites (docs/behaviour/paths.md#redirects-as-a-file). */
import { foldedPath, parseSitePath } from '../paths/public-path.js'
import { applyRedirect, wildcard, type RedirectRule } from './redirect.js'

/** The hosts whose files can be written. */
export const redirectFormats = ['netlify', 'nginx'] as const
export type RedirectFormat = (typeof redirectFormats)[number]

/** Where a path leads. */
export type ListedRedirect = {
  /** A path, or a pattern with `**`, with its query if it has one. */
  readonly from: string
  /** A path or a web address; `\1` is what `**` matched. */
  readonly to: string
  readonly status: 301 | 302
  /** Whether the query of the request is appended. */
  readonly keepsQuery: boolean
}

/** The path of an object, and those that it had before. */
export type PathWithHistory = { readonly current: string; readonly former: readonly string[] }

/** A redirect of the instance. */
export type OwnRedirect = RedirectRule & { readonly permanent: boolean }

/**
 * The list whose first match applies, as in resolution: no path of an object, then earlier paths, then the redirects of
 * the instance in their order.
 */
export const redirectList = (
  objects: readonly PathWithHistory[],
  own: readonly OwnRedirect[],
): readonly ListedRedirect[] => {
  const taken = new Set(['/', ...objects.map(({ current }) => foldedPath(current))])
  const list: ListedRedirect[] = []
  const add = (key: string, listed: ListedRedirect): void => {
    if (taken.has(key)) return
    taken.add(key)
    list.push(listed)
  }
  for (const { current, former } of objects)
    for (const from of former) add(foldedPath(from), { from, to: current, status: 301, keepsQuery: true })
  const wide: OwnRedirect[] = []
  for (const each of own) {
    const { pattern: from, template } = each
    const path = parseSitePath(from)
    if (from.includes(wildcard)) {
      wide.push(each)
      // The text that matches at the end has the query.
      const keepsQuery = from.endsWith(wildcard) && template.endsWith('\\1')
      list.push({ from, to: template, status: each.permanent ? 301 : 302, keepsQuery })
    } else if (path !== null) {
      // Hosts look up whole paths before patterns, so an earlier pattern is applied to the path here.
      const first = wide.find((rule) => applyRedirect(rule, path) !== null) ?? each
      const to = applyRedirect(first, path) ?? template
      const listed = { from, to, status: first.permanent ? 301 : 302, keepsQuery: false } as const
      add(path.query === '' ? foldedPath(path.path) : from, listed)
    }
  }
  return list
}
