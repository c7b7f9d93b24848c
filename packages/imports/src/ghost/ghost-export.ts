/** The export of Ghost: the tables of its database as JSON. */
import { fault, type Fault } from '@publishing-service/domain'
import { codecOf, E, t, type Either } from '@publishing-service/domain/fp'
import { isJsonObject } from '@publishing-service/domain/json'

const text = codecOf<string>('text', (input) => {
  if (input === undefined || input === null) return E.right('')
  if (typeof input === 'string') return E.right(input)
  return typeof input === 'number' ? E.right(String(input)) : E.left('must be a text')
})

/** The id of a row; versions before 1 had numbers. */
const id = codecOf<string>('id', (input) =>
  (typeof input === 'string' && input !== '') || typeof input === 'number'
    ? E.right(String(input))
    : E.left('must be an id'),
)

/** Databases have 0 and 1. */
const flag = codecOf<boolean>('flag', (input) => {
  if (input === undefined || input === null) return E.right(false)
  if (typeof input === 'boolean') return E.right(input)
  return input === 0 || input === 1 ? E.right(input === 1) : E.left('must be true or false')
})

const integer = codecOf<number>('integer', (input) => {
  if (input === undefined || input === null) return E.right(0)
  return typeof input === 'number' ? E.right(input) : E.left('must be a number')
})

/** A time in UTC, as a text with its zone; empty if there is none. */
const time = codecOf<string>('time', (input) => {
  if (input === undefined || input === null || input === '') return E.right('')
  // Databases write times of UTC without a zone, and zeros for none.
  if (typeof input === 'string' && input.startsWith('0000')) return E.right('')
  const zoned =
    typeof input === 'string' ? input.trim().replace(/^(\d{4}-\d\d-\d\d)[ T]([\d:.]+)$/, '$1T$2Z') : input
  const found =
    typeof zoned === 'string' || typeof zoned === 'number' ? new Date(zoned) : new Date(Number.NaN)
  const year = found.getUTCFullYear()
  return year >= 1 && year <= 9998
    ? E.right(found.toISOString())
    : E.left('must be a time such as 2024-05-17T09:30:00.000Z')
})

/** Texts for search engines and social networks; they are in posts before version 3, and else in `posts_meta`. */
const meta = {
  meta_title: text,
  meta_description: text,
  og_title: text,
  og_description: text,
  og_image: text,
  twitter_title: text,
  twitter_description: text,
  twitter_image: text,
  feature_image_alt: text,
  feature_image_caption: text,
  frontmatter: text,
  email_subject: text,
  email_only: flag,
}

const post = t.type({
  id,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  markdown: text,
  feature_image: text,
  /** The feature image in versions before 1. */
  image: text,
  featured: flag,
  type: text,
  /** Whether it is a page, in versions before 3. */
  page: flag,
  status: text,
  visibility: text,
  created_at: time,
  updated_at: time,
  published_at: time,
  custom_excerpt: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  canonical_url: text,
  custom_template: text,
  author_id: text,
  ...meta,
})

const tag = t.type({
  id,
  name: text,
  slug: text,
  description: text,
  feature_image: text,
  /** The feature image in versions before 1. */
  image: text,
  visibility: text,
  created_at: time,
  updated_at: time,
  canonical_url: text,
  accent_color: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  meta_title: text,
  meta_description: text,
})

const user = t.type({
  id,
  name: text,
  slug: text,
  bio: text,
  website: text,
  location: text,
  facebook: text,
  twitter: text,
  instagram: text,
  linkedin: text,
  profile_image: text,
  cover_image: text,
  /** The profile image in versions before 1. */
  image: text,
  /** The cover image in versions before 1. */
  cover: text,
  created_at: time,
  updated_at: time,
})

const tables = {
  posts: t.readonlyArray(post),
  posts_meta: t.readonlyArray(t.type({ post_id: id, ...meta })),
  posts_tags: t.readonlyArray(t.type({ post_id: id, tag_id: id, sort_order: integer })),
  posts_authors: t.readonlyArray(t.type({ post_id: id, author_id: id, sort_order: integer })),
  tags: t.readonlyArray(tag),
  users: t.readonlyArray(user),
  settings: t.readonlyArray(t.type({ key: text, value: t.unknown })),
  comments: t.readonlyArray(
    t.type({
      id,
      post_id: text,
      member_id: text,
      parent_id: text,
      status: text,
      html: text,
      created_at: time,
    }),
  ),
  /** Members are not taken over; their names are those of comments. */
  members: t.readonlyArray(t.type({ id, name: text })),
}

const data = t.type(tables)

type Data = t.TypeOf<typeof data>

export type GhostPost = Data['posts'][number]
export type GhostTag = Data['tags'][number]
export type GhostUser = Data['users'][number]
export type GhostMeta = Data['posts_meta'][number]

export type GhostExport = Data & {
  /** The tables that are not taken over, with the number of their rows. */
  readonly others: readonly { readonly name: string; readonly rows: number }[]
}

/** The most faults of an export that are named. */
const mostFaults = 50

const isIndex = (key: string): boolean => /^\d+$/.test(key)

const placeOf = (outer: string, { context }: t.ValidationError): string =>
  context.reduce(
    (path, { key }) => (key === '' ? path : isIndex(key) ? `${path}[${key}]` : `${path}.${key}`),
    outer,
  )

const messageOf = ({ message, context }: t.ValidationError): string => {
  if (message !== undefined) return message
  return context.at(-1)?.type.name.startsWith('ReadonlyArray') === true
    ? 'must be a list of rows'
    : 'must be an object'
}

const noExport = (path: string, message: string): Either<readonly Fault[], never> =>
  E.left([fault(path, 'type', message)])

/** The data of an export, and where they are. Older exports have no `db` around them. */
const dataIn = (value: unknown): { readonly path: string; readonly found: unknown } | null => {
  if (!isJsonObject(value)) return null
  if (!('db' in value)) return { path: 'data', found: value['data'] }
  const { db } = value
  const first: unknown = Array.isArray(db) ? db[0] : db
  const path = Array.isArray(db) ? 'db[0].data' : 'db.data'
  return isJsonObject(first) ? { path, found: first['data'] } : null
}

/** Reads the parsed JSON of an export of Ghost, of any version. */
export const readExport = (value: unknown): Either<readonly Fault[], GhostExport> => {
  const within = dataIn(value)
  if (within === null) return noExport('', 'is no export of Ghost: it has neither db nor data')
  const { path, found } = within
  if (!isJsonObject(found)) return noExport(path, 'must be an object with the tables of Ghost')
  const known = Object.keys(tables)
  if (!known.some((name) => Array.isArray(found[name])))
    return noExport(path, 'has no table of Ghost, such as posts')
  const input = Object.fromEntries(known.map((name) => [name, found[name] ?? []]))
  const decoded = data.decode(input)
  if (E.isLeft(decoded))
    return E.left(
      decoded.left.slice(0, mostFaults).map((each) => fault(placeOf(path, each), 'type', messageOf(each))),
    )
  const others = Object.entries(found)
    .filter(([name]) => !known.includes(name) || name === 'members')
    .map(([name, rows]) => ({ name, rows: Array.isArray(rows) ? rows.length : 0 }))
    .filter(({ rows }) => rows > 0)
  return E.right({ ...decoded.right, others })
}
