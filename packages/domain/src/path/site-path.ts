/** Paths of the website as they are compared: in one form of their text, and without regard to repeated or missing slashes. */
import { computed } from '../resource/attribute.js'
import { comparedText } from './compared-text.js'

/** Maximum length of a path with its query. */
export const maxSitePath = 8000

/** A path that a visitor of the website requested. */
export type SitePath = {
  /** Without the query. */
  readonly path: string
  /** From the `?` or `#` on; empty if there is none. */
  readonly query: string
  /** The names between the slashes. */
  readonly names: readonly string[]
}

const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '')

const foldedPathOf = (names: readonly string[]): string =>
  names.length === 0 ? '/' : `/${comparedText(names.join('/'))}/`

/** Null for a text that is not a path. */
export const parseSitePath = (text: string): SitePath | null => {
  if (!text.startsWith('/') || text.length > maxSitePath) return null
  const [path = ''] = text.split(/[?#]/, 1)
  return { path, query: text.slice(path.length), names: namesOf(path) }
}

/** The canonical form in which two paths are compared. */
export const foldedPath = (path: string): string => foldedPathOf(namesOf(path))

/** Stores limit the length of keys; longer paths that begin alike have the same key. */
const maxKeyLength = 250

/** The key under which an earlier path is found. The whole path is compared afterwards. */
export const pathKey = (path: string): string => keyOf(foldedPath(path))

/** The start of a text as a key. */
export const keyOf = (text: string): string => text.slice(0, maxKeyLength).toWellFormed()

type Moved = { readonly old_paths: readonly string[] | null }

export const pathKeysOf = ({ old_paths }: Moved): readonly string[] => [
  ...new Set((old_paths ?? []).map(pathKey)),
]

/** The keys by which objects are found by their earlier paths (docs/behaviour/paths.md#resolution). */
export const pathKeys = {
  past_paths: computed('texts', 'Its recorded earlier paths.', ['old_paths'], pathKeysOf, { revision: 2 }),
} as const
