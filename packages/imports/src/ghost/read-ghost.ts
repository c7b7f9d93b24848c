/** Reads the export of a website of Ghost (docs/import.md#ghost). */
import type { Fault } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import {
  fileNote,
  importRecord,
  type ImportedObject,
  type ImportRecord,
  type ImportSource,
} from '@publishing-service/domain/imports'
import { isFileOfSite, originalAddress } from './content-addresses.js'
import { commentRecords } from './ghost-comments.js'
import { readExport, type GhostExport, type GhostPost, type GhostTag } from './ghost-export.js'
import { ImportedFiles } from '../imported-files.js'
import { articleOf, isPage } from './ghost-post.js'
import { redirectRecords } from './ghost-redirects.js'
import {
  authorOf,
  authorUuid,
  isInternal,
  sectionOf,
  tagOf,
  tagUuid,
  type ObjectWithNotes,
} from './ghost-tags.js'

export type GhostOptions = {
  /** The address of the website, which exports do not contain. */
  readonly site: string
  /** What becomes of published posts that only members could read. */
  readonly memberPosts: 'draft' | 'published'
  /** Whether a post is in a section that is made of its first tag. */
  readonly sections: 'none' | 'primary-tag'
  /** The parsed `redirects.json` or `redirects.yaml`; null if there is none. */
  readonly redirects: unknown
}

/** The rows by one of their values, in the order that they say. */
const grouped = <Row extends { readonly sort_order: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, readonly Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows.toSorted((a, b) => a.sort_order - b.sort_order)) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return groups
}

/** The tags and authors of posts. References to rows that are not in the export are left out. */
const relationsOf = ({ tags, users, posts_tags, posts_authors }: GhostExport) => {
  const tagsById = new Map(tags.map((tag) => [tag.id, tag]))
  const userIds = new Set(users.map(({ id }) => id))
  const tagRows = grouped(posts_tags, ({ post_id }) => post_id)
  const authorRows = grouped(posts_authors, ({ post_id }) => post_id)
  return {
    tagsOf: ({ id }: GhostPost): readonly GhostTag[] =>
      (tagRows.get(id) ?? []).flatMap(({ tag_id }) => tagsById.get(tag_id) ?? []),
    authorsOf: ({ id, author_id }: GhostPost): readonly string[] => {
      const rows = authorRows.get(id)?.map((row) => row.author_id) ?? [author_id]
      return [...new Set(rows)].filter((each) => userIds.has(each))
    },
  }
}

const notTaken = (source: string, title: string, texts: readonly string[]): ImportRecord =>
  importRecord({
    origin: { source, title, line: null },
    notes: texts.map((text) => fileNote('not taken over', text)),
  })

const codeSettings = new Set(['codeinjection_head', 'codeinjection_foot', 'ghost_head', 'ghost_foot'])

/** What is said about settings: they belong to Ghost and its theme. Their values may be secret. */
const settingsRecords = ({ settings }: GhostExport): readonly ImportRecord[] => {
  if (settings.length === 0) return []
  const code = settings.filter(
    ({ key, value }) => codeSettings.has(key) && typeof value === 'string' && value.trim() !== '',
  )
  return [
    notTaken('table settings', 'settings', [
      `${settings.length} settings of Ghost`,
      ...code.map(({ key }) => `${key}: the code that every page contains`),
    ]),
  ]
}

/** The records of an export, with files before the first object that shows them. */
const recordsOf = (found: GhostExport, options: GhostOptions): readonly ImportRecord[] => {
  const { site, sections, memberPosts } = options
  const files = new ImportedFiles({
    site,
    isTaken: (address) => isFileOfSite(address, site),
    originalOf: originalAddress,
  })
  const { tagsOf, authorsOf } = relationsOf(found)
  const metaByPost = new Map(found.posts_meta.map((meta) => [meta.post_id, meta]))
  const primaryTagOf = (post: GhostPost): GhostTag | null =>
    sections === 'none' || isPage(post) ? null : (tagsOf(post).find((tag) => !isInternal(tag)) ?? null)
  const taggingsOf = (post: GhostPost): ImportedObject['tags'] => [
    ...tagsOf(post).map(({ id }) => ({ tag: tagUuid(site, id), predicate: 'describes', attributes: {} })),
    ...authorsOf(post).map((id) => ({ tag: authorUuid(site, id), predicate: 'authored', attributes: {} })),
  ]

  type Made = { readonly files: readonly string[]; readonly record: ImportRecord }
  const made = (source: string, title: string, { object, notes }: ObjectWithNotes): Made => ({
    files: files.takeUsed(),
    record: importRecord({ origin: { source, title, line: null }, notes, object }),
  })

  const writers = new Set(found.posts.flatMap(authorsOf))
  const sectionTags = new Set(found.posts.flatMap((post) => primaryTagOf(post)?.id ?? []))
  const objects: readonly Made[] = [
    ...found.tags
      .filter(({ id }) => sectionTags.has(id))
      .map((tag) => made(`section ${tag.id}`, tag.name, sectionOf(tag, site, files))),
    ...found.tags.map((tag) => made(`tag ${tag.id}`, tag.name, tagOf(tag, site, files))),
    ...found.users
      .filter(({ id }) => writers.has(id))
      .map((user) => made(`author ${user.id}`, user.name, authorOf(user, site, files))),
    ...found.posts.map((post) => {
      const article = articleOf(post, {
        site,
        files,
        memberPosts,
        metaOf: ({ id }) => metaByPost.get(id) ?? post,
        taggingsOf,
        sectionTagOf: (each) => primaryTagOf(each)?.id ?? null,
      })
      return made(`${isPage(post) ? 'page' : 'post'} ${post.id}`, post.title, article)
    }),
  ]
  const others = found.users.length - writers.size
  return [
    ...objects.flatMap(({ files: used, record }) => [...files.recordsOf(used), record]),
    ...commentRecords(found, site),
    ...redirectRecords(options.redirects, site),
    ...(others > 0 ? [notTaken('table users', 'users', [`${others} users of Ghost who have no posts`])] : []),
    ...settingsRecords(found),
    ...found.others.map(({ name, rows }) => notTaken(`table ${name}`, name, [`${rows} rows`])),
  ]
}

/**
 * The content of an export of Ghost as objects: tags and authors, posts and pages with their files, and comments. What is
 * wrong with the export otherwise.
 */
export const readGhost = (value: unknown, options: GhostOptions): Either<readonly Fault[], ImportSource> => {
  const found = readExport(value)
  if (E.isLeft(found)) return found
  const records = recordsOf(found.right, { ...options, site: options.site.replace(/\/+$/, '') })
  return E.right({
    total: records.length,
    records: async function* () {
      yield* records
    },
  })
}
