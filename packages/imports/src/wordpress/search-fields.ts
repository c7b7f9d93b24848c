/** What plug-ins say to search engines about a post. */
import { fileNote, type ImportNote } from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import { plainLine, shortened } from '../plain-text.js'
import { metaValue, type WxrItem } from './wxr.js'

// Yoast SEO, Rank Math, All in One SEO, SEOPress, The SEO Framework.
const titles = [
  '_yoast_wpseo_title',
  'rank_math_title',
  '_aioseo_title',
  '_aioseop_title',
  '_seopress_titles_title',
  '_genesis_title',
]
const descriptions = [
  '_yoast_wpseo_metadesc',
  'rank_math_description',
  '_aioseo_description',
  '_aioseop_description',
  '_seopress_titles_desc',
  '_genesis_description',
]
const canonicals = [
  '_yoast_wpseo_canonical',
  'rank_math_canonical_url',
  '_seopress_robots_canonical',
  '_genesis_canonical_uri',
]

// `%%title%%` of Yoast SEO and SEOPress, `%title%` of Rank Math, `#post_title` of All in One SEO.
const variable = /%%[a-z][\w-]*%%|%[a-z][\w-]*(?:\([^()%]*\))?%|#[a-z]+_[a-z_]+/gi

const nameOf = (written: string): string => written.replaceAll(/[%#]|\(.*\)$/g, '').toLowerCase()

type Known = { readonly title: string; readonly excerpt: string; readonly site: string }

const valueOf = (name: string, { title, excerpt, site }: Known): string | null => {
  if (['title', 'post_title'].includes(name)) return title
  if (['sitename', 'sitetitle', 'site_title'].includes(name)) return site
  if (['sep', 'separator', 'separator_sa'].includes(name)) return '–'
  if (['page', 'pagenumber'].includes(name)) return ''
  if (['excerpt', 'excerpt_only', 'post_excerpt'].includes(name)) return excerpt
  return null
}

export type SearchFields = { readonly attributes: JsonObject; readonly notes: readonly ImportNote[] }

/** Attributes for search engines. A template with variables that the export does not have is left out. */
export const searchFields = (item: WxrItem, known: Known): SearchFields => {
  const attributes: Record<string, string> = {}
  const notes: ImportNote[] = []
  const note = (text: string): void => {
    notes.push(fileNote('search engines', text, item.line))
  }
  const first = (names: readonly string[]): string =>
    names.map((name) => metaValue(item, name)).find((value) => value !== '') ?? ''
  const read = (attribute: string, written: string, most: number): void => {
    const unknown: string[] = []
    const text = plainLine(
      written.replaceAll(variable, (each) => {
        const value = valueOf(nameOf(each), known)
        if (value === null) unknown.push(each)
        return value ?? ''
      }),
    )
    if (unknown.length > 0)
      note(
        `${attribute} is left out, because the export does not say what is in place of ${unknown.join(', ')}`,
      )
    else if (text !== '') attributes[attribute] = shortened(text, most)
  }
  read('meta_title', first(titles), 1000)
  read('meta_description', first(descriptions), 5000)
  const canonical = first(canonicals)
  if (/^https?:\/\//i.test(canonical)) attributes['canonical_url'] = canonical
  const isHidden =
    metaValue(item, '_yoast_wpseo_meta-robots-noindex') === '1' ||
    metaValue(item, 'rank_math_robots').includes('noindex') ||
    metaValue(item, '_seopress_robots_index') === 'yes'
  if (isHidden) note('it was not listed by search engines: noindex has no attribute here')
  return { attributes, notes }
}
