/** A post or a page of Ghost as an article. */
import {
  fileNote,
  importedObject,
  type ImportedObject,
  type ImportNote,
} from '@publishing-service/domain/imports'
import { isJsonObject } from '@publishing-service/domain/json'
import { derivedUuid } from '../derived-uuid.js'
import { plainText, shortened } from '../plain-text.js'
import { present } from '../present.js'
import { isFileOfSite, withSite } from './content-addresses.js'
import type { GhostMeta, GhostPost } from './ghost-export.js'
import type { ImportedFiles } from '../imported-files.js'
import { imageUuid, leftOut, sectionUuid, type ObjectWithNotes } from './ghost-tags.js'
import { bodyOfPost, type PostBody } from './post-body.js'

export type PostContext = {
  readonly site: string
  readonly files: ImportedFiles
  /** What becomes of published posts that only members could read. */
  readonly memberPosts: 'draft' | 'published'
  readonly metaOf: (post: GhostPost) => GhostMeta | GhostPost
  readonly taggingsOf: (post: GhostPost) => ImportedObject['tags']
  /** The id of the tag whose section a post is in; null if there is none. */
  readonly sectionTagOf: (post: GhostPost) => string | null
}

export const postUuid = (site: string, id: string): string => derivedUuid(site, 'post', id)

export const isPage = ({ type, page }: GhostPost): boolean => type === 'page' || page

type Publication = { readonly state: 'draft' | 'published'; readonly notes: readonly ImportNote[] }

const draft = (reason: string): Publication => ({
  state: 'draft',
  notes: [fileNote('state', `it is a draft here, because ${reason}`)],
})

/** Whether a post is published here. What was not public on the website is a draft. */
const publicationOf = (
  { status, visibility }: GhostPost,
  { email_only: isEmail }: GhostMeta | GhostPost,
  isForMembers: boolean,
  memberPosts: PostContext['memberPosts'],
): Publication => {
  if (status === 'sent' || isEmail) return draft('it was sent as a newsletter only')
  if (status !== 'published' && status !== 'scheduled') return { state: 'draft', notes: [] }
  const isPublic = visibility === '' || visibility === 'public'
  if (isPublic && !isForMembers) return { state: 'published', notes: [] }
  const reason = isPublic ? 'parts of it are for members only' : `its visibility is ${visibility}`
  return memberPosts === 'draft'
    ? draft(reason)
    : { state: 'published', notes: [fileNote('visibility', `${reason}, and everybody can read it here`)] }
}

/** A note that names the code that a page contains. */
const codeNotes = (post: GhostPost): readonly ImportNote[] =>
  (['codeinjection_head', 'codeinjection_foot'] as const).flatMap((name) =>
    post[name].trim() === ''
      ? []
      : [fileNote('code', `${name} is left out: ${post[name].replaceAll(/\s+/g, ' ').trim().slice(0, 200)}`)],
  )

/** Titles and descriptions for social networks that say something else. */
const socialNotes = (meta: GhostMeta | GhostPost, used: readonly string[]): readonly ImportNote[] =>
  leftOut(
    Object.fromEntries(
      Object.entries(meta).map(([name, value]: readonly [string, unknown]) => [
        name,
        typeof value === 'string' && used.includes(value) ? '' : value,
      ]),
    ),
    [
      'og_title',
      'og_description',
      'og_image',
      'twitter_title',
      'twitter_description',
      'twitter_image',
      'frontmatter',
      'email_subject',
    ],
  )

const hrefs = /\shref="([^"]*)"/g

/** The addresses of videos and of linked files of the website, which remain where they are. */
const remainingAddresses = ({ markup, slots }: PostBody, site: string): readonly string[] => {
  const links = Array.from(markup.matchAll(hrefs), ([, href = '']) => href.replaceAll('&amp;', '&'))
  const media = slots.flatMap((slot) =>
    slot.media.flatMap(({ urls }) =>
      Array.isArray(urls) ? urls.flatMap((each) => (isJsonObject(each) ? String(each['url']) : [])) : [],
    ),
  )
  return [...new Set([...links, ...media])].filter((address) => isFileOfSite(address, site))
}

export const articleOf = (post: GhostPost, context: PostContext): ObjectWithNotes => {
  const { site, files } = context
  const meta = context.metaOf(post)
  const body = bodyOfPost(post, { site, fileOf: files.fileOf })
  const { state, notes } = publicationOf(post, meta, body.isForMembers, context.memberPosts)
  const remaining = remainingAddresses(body, site)
  for (const address of remaining) files.use(address)
  const image = imageUuid(files, site, post.feature_image || post.image, {
    title: meta.feature_image_alt,
    description: plainText(meta.feature_image_caption),
  })
  const sectionTag = context.sectionTagOf(post)
  const metaTitle = meta.meta_title || meta.og_title || meta.twitter_title
  const metaDescription = meta.meta_description || meta.og_description || meta.twitter_description
  const title = post.title.trim() || post.slug || `Post ${post.id}`
  const object = importedObject({
    collection: 'content',
    id: postUuid(site, post.id),
    attributes: present({
      content_type: 'article',
      title: shortened(title, 255),
      urlname: post.slug || `post-${post.id}`,
      description: post.custom_excerpt,
      content: body.markup,
      state,
      created: post.created_at,
      modified: post.updated_at,
      issued: post.published_at,
      section_uuid: sectionTag === null ? null : sectionUuid(site, sectionTag),
      meta_title: metaTitle,
      meta_description: metaDescription,
      canonical_url: withSite(post.canonical_url, site),
      teaser_image_uuid: image,
      header_image_uuid: image,
      // A page is not news.
      ...(isPage(post) ? { evergreen: true } : {}),
    }),
    slots: body.slots,
    tags: context.taggingsOf(post),
    earlier_paths: sectionTag === null || post.slug === '' ? [] : [`/${post.slug}/`],
  })
  return {
    object,
    notes: [
      ...notes,
      ...(post.title.trim().length > 255 ? [fileNote('title', `the title is shortened: ${post.title}`)] : []),
      ...(isPage(post) ? [fileNote('page', 'it was a page: it is an article without a section here')] : []),
      ...(post.featured ? [fileNote('attribute', 'it was featured: place it on the homepage')] : []),
      ...codeNotes(post),
      ...socialNotes(meta, [metaTitle, metaDescription, title, post.custom_excerpt, post.feature_image]),
      ...leftOut(post, ['custom_template']),
      ...remaining.map((address) =>
        fileNote(
          'address',
          `the file is in the library, but the body leads to its former address: ${address}`,
        ),
      ),
      ...body.notes,
    ],
  }
}
