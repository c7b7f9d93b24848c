/** What an export of WordPress (WXR 1.0 to 1.2) says, as values. */
import type { XmlElement } from './xml-elements.js'

export type WxrAuthor = {
  readonly login: string
  readonly name: string
  readonly firstName: string
  readonly lastName: string
  readonly description: string
}

export type WxrTerm = {
  readonly id: string
  readonly taxonomy: string
  readonly slug: string
  /** The slug of the term above it; empty if there is none. */
  readonly parent: string
  readonly name: string
  readonly description: string
}

/** A term of an item. */
type WxrCategory = { readonly taxonomy: string; readonly slug: string; readonly name: string }

export type WxrComment = {
  readonly id: string
  readonly parent: string
  readonly author: string
  readonly email: string
  readonly date: string
  readonly dateGmt: string
  readonly text: string
  readonly approved: string
  readonly type: string
}

export type WxrItem = {
  readonly line: number
  readonly id: string
  readonly type: string
  readonly status: string
  readonly title: string
  readonly link: string
  readonly creator: string
  readonly content: string
  readonly excerpt: string
  readonly date: string
  readonly dateGmt: string
  readonly modified: string
  readonly modifiedGmt: string
  readonly slug: string
  readonly parent: string
  readonly position: number
  readonly hasPassword: boolean
  readonly isSticky: boolean
  /** The address of the data of an attachment. */
  readonly attachment: string
  readonly categories: readonly WxrCategory[]
  readonly meta: ReadonlyMap<string, readonly string[]>
  readonly comments: readonly XmlElement[]
}

const textIn = ({ children }: XmlElement, name: string): string =>
  children.find((each) => each.name === name)?.text.trim() ?? ''

const rawTextIn = ({ children }: XmlElement, name: string): string =>
  children.find((each) => each.name === name)?.text ?? ''

export const authorOf = (element: XmlElement): WxrAuthor => ({
  login: textIn(element, 'wp:author_login'),
  name: textIn(element, 'wp:author_display_name'),
  firstName: textIn(element, 'wp:author_first_name'),
  lastName: textIn(element, 'wp:author_last_name'),
  description: textIn(element, 'wp:author_description'),
})

/** The names of the elements of terms, by the name of the element around them. */
const termNames: Readonly<
  Record<string, Readonly<Record<'slug' | 'parent' | 'name' | 'description', string>>>
> = {
  'wp:category': {
    slug: 'wp:category_nicename',
    parent: 'wp:category_parent',
    name: 'wp:cat_name',
    description: 'wp:category_description',
  },
  'wp:tag': {
    slug: 'wp:tag_slug',
    parent: '',
    name: 'wp:tag_name',
    description: 'wp:tag_description',
  },
  'wp:term': {
    slug: 'wp:term_slug',
    parent: 'wp:term_parent',
    name: 'wp:term_name',
    description: 'wp:term_description',
  },
}

const taxonomies: Readonly<Record<string, string>> = { 'wp:category': 'category', 'wp:tag': 'post_tag' }

/** Null for an element that is no term. */
export const termOf = (element: XmlElement): WxrTerm | null => {
  const names = Object.hasOwn(termNames, element.name) ? termNames[element.name] : undefined
  if (names === undefined) return null
  const slug = textIn(element, names.slug)
  return {
    id: textIn(element, 'wp:term_id'),
    taxonomy: taxonomies[element.name] ?? textIn(element, 'wp:term_taxonomy'),
    slug,
    parent: textIn(element, names.parent),
    name: textIn(element, names.name) || slug,
    description: textIn(element, names.description),
  }
}

export const commentOf = (element: XmlElement): WxrComment => ({
  id: textIn(element, 'wp:comment_id'),
  parent: textIn(element, 'wp:comment_parent'),
  author: textIn(element, 'wp:comment_author'),
  email: textIn(element, 'wp:comment_author_email'),
  date: textIn(element, 'wp:comment_date'),
  dateGmt: textIn(element, 'wp:comment_date_gmt'),
  text: rawTextIn(element, 'wp:comment_content'),
  approved: textIn(element, 'wp:comment_approved'),
  type: textIn(element, 'wp:comment_type'),
})

const metaOf = ({ children }: XmlElement): ReadonlyMap<string, readonly string[]> => {
  const meta = new Map<string, string[]>()
  for (const each of children) {
    if (each.name !== 'wp:postmeta') continue
    const key = textIn(each, 'wp:meta_key')
    const values = meta.get(key) ?? []
    values.push(rawTextIn(each, 'wp:meta_value'))
    meta.set(key, values)
  }
  return meta
}

/** In WXR 1.0 a category of an item is there twice, the second time with its slug. */
const categoriesOf = ({ children }: XmlElement): readonly WxrCategory[] =>
  children.flatMap(({ name, attributes, text }) => {
    const { domain = 'category', nicename = '' } = attributes
    return name === 'category' && nicename !== ''
      ? [{ taxonomy: domain === 'tag' ? 'post_tag' : domain, slug: nicename, name: text.trim() || nicename }]
      : []
  })

export const itemOf = (element: XmlElement): WxrItem => ({
  line: element.line,
  id: textIn(element, 'wp:post_id'),
  type: textIn(element, 'wp:post_type') || 'post',
  status: textIn(element, 'wp:status') || 'publish',
  title: textIn(element, 'title'),
  link: textIn(element, 'link'),
  creator: textIn(element, 'dc:creator'),
  content: rawTextIn(element, 'content:encoded'),
  excerpt: rawTextIn(element, 'excerpt:encoded'),
  date: textIn(element, 'wp:post_date'),
  dateGmt: textIn(element, 'wp:post_date_gmt'),
  modified: textIn(element, 'wp:post_modified'),
  modifiedGmt: textIn(element, 'wp:post_modified_gmt'),
  slug: textIn(element, 'wp:post_name'),
  parent: textIn(element, 'wp:post_parent'),
  position: Number(textIn(element, 'wp:menu_order')) || 0,
  hasPassword: textIn(element, 'wp:post_password') !== '',
  isSticky: textIn(element, 'wp:is_sticky') === '1',
  attachment: textIn(element, 'wp:attachment_url'),
  categories: categoriesOf(element),
  meta: metaOf(element),
  comments: element.children.filter(({ name }) => name === 'wp:comment'),
})

/** The last value of a field of an item; empty if it has none. */
export const metaValue = ({ meta }: Pick<WxrItem, 'meta'>, name: string): string =>
  meta.get(name)?.at(-1)?.trim() ?? ''

/** A time of an export as a write accepts it: in UTC if the export says it, else the local time; null if there is none. */
export const timeOf = (local: string, gmt: string): string | null => {
  const isTime = (text: string): boolean => /^(?!0000)\d{4}-(?!00)\d\d-(?!00)\d\d \d\d:\d\d:\d\d$/.test(text)
  if (isTime(gmt)) return `${gmt.replace(' ', 'T')}Z`
  return isTime(local) ? local.replace(' ', 'T') : null
}
