/** The paths that content had in WordPress. */
import { foldedPath } from '@publishing-service/domain/paths'
import { fileNote, type ImportNote } from '@publishing-service/domain/imports'
import { addressParts, decodedPath } from '../address-parts.js'
import type { Place } from './places.js'
import type { WxrItem } from './wxr.js'

/** A path and its query that lead to another path. */
export type PathRedirect = { readonly pattern: string; readonly template: string }

export type PathsBefore = {
  readonly earlierPaths: readonly string[]
  readonly redirect: PathRedirect | null
  readonly notes: readonly ImportNote[]
}

/** The path with another name in place of the last one that is the slug. */
const withSlug = (path: string, slug: string, other: string): string | null => {
  const names = path.split('/')
  const index = names.findLastIndex((name) => decodedPath(name) === decodedPath(slug))
  return index === -1 ? null : names.with(index, other).join('/')
}

/** The paths of an item that was public, the newest first, without its present one. */
export const pathsBefore = (item: WxrItem, place: Place): PathsBefore => {
  const nothing = { earlierPaths: [], redirect: null, notes: [] }
  if (item.status !== 'publish' || item.hasPassword) return nothing
  const link = addressParts(item.link)
  if (link === null) return nothing
  if (link.query !== '') {
    if (link.path === '/')
      return {
        ...nothing,
        notes: [
          fileNote(
            'permalink',
            `its address was /${link.query}, which cannot be redirected, because / is the homepage`,
            item.line,
          ),
        ],
      }
    return { ...nothing, redirect: { pattern: `${link.path}${link.query}`, template: place.path } }
  }
  const path = decodedPath(link.path)
  // The page of a section is shown by the section, which has this path.
  const present = new Set([place.path, ...(place.section?.page === place.id ? [path] : [])].map(foldedPath))
  const isEarlier = (each: string): boolean => each !== '/' && !present.has(foldedPath(each))
  const old = (item.meta.get('_wp_old_slug') ?? []).flatMap((slug) => {
    const earlier = slug.trim() === '' ? null : withSlug(link.path, item.slug, slug.trim())
    return earlier === null ? [] : [decodedPath(earlier)]
  })
  return { ...nothing, earlierPaths: [...new Set([path, ...old.toReversed()])].filter(isEarlier) }
}
