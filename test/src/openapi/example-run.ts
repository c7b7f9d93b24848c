/**
 * Sends every request that the OpenAPI document shows an example of. Each is also answered with success when it is sent
 * alone to a new service: what it reads, changes or removes is part of the sample publication.
 */
import { resources, segmentsOf, type Json, type JsonObject } from '@publishing-service/domain'
import { smallPng } from '../harness/small-files.js'
import { writablesOf } from '../harness/valid-bodies.js'
import {
  blog,
  changes,
  furtherContent,
  headlines,
  media,
  newComment,
  newObjects,
  relatedLinks,
  type Referred,
} from './example-bodies.js'

type Parameters = Readonly<Record<string, string | number>>

export type ExampleRequest = {
  /** What tells it from other examples of the same operation. */
  readonly name?: string
  /** Of the path and of the query, by name. */
  readonly parameters?: Parameters
  readonly body?: JsonObject
  /** Sent as it is, and not shown. */
  readonly data?: Uint8Array
}

/** Sends an example of an operation, keeps it, and gives the answer. */
export type Show = (id: string, request?: ExampleRequest) => Promise<JsonObject>

/** Reads rows of a collection without making an example of it. */
export type Look = (path: string) => Promise<readonly (readonly Json[])[]>

/** The resources by their names in operations, with the paths of their collections. */
const shown = {
  Section: 'sections',
  Content: 'content',
  Location: 'locations',
  File: 'files',
  Tag: 'tags',
  TagCategory: 'tags/categories',
  Redirect: 'redirects',
} as const

const lists: Readonly<Record<string, Parameters>> = {
  listCollections: { fields: 'name,url', rpp: 3 },
  listSections: { fields: 'uuid,title,parent_uuid', order: 'ord', rpp: 3 },
  listContent: {
    fields: 'url,title,content_type,issued',
    order: 'issued.desc',
    ctypes: 'articles,recipes',
    state: 'live',
    rpp: 3,
  },
  listEvents: { fields: 'title,dtstart,url', order: 'dtstart', dtstart: '2025-01-01_', rpp: 3 },
  listLocations: { fields: 'uuid,title,is_listing', order: 'sort_title', type: 'listing' },
  listFiles: { fields: 'title,mimetype,byte_size', order: 'byte_size.desc', groups: 'image', rpp: 3 },
  listTags: { fields: 'uuid,title,type', order: 'title', type: 'person' },
  listTagCategories: { fields: 'uuid,title' },
  listComments: { fields: 'uuid,parent_type,parent_uuid,title', order: 'tree', state: 'published', rpp: 3 },
  listRedirects: { fields: 'uuid,pattern,template', order: 'ord' },
  listBlogs: { fields: 'uuid,title' },
  listHomepage: { fields: 'uuid,title' },
}

/** What a PUT of an object sends: what it reads as, without what is absent or only read. */
const sendable = (path: string, object: JsonObject): JsonObject => {
  const resource = resources.find((each) => segmentsOf(each) === path)
  if (resource === undefined) throw new Error(`no resource at ${path}`)
  const variant = resource.variant === undefined ? null : String(object[resource.variant])
  return Object.fromEntries(
    writablesOf(resource, variant).flatMap(([name, { kind }]) => {
      const value = object[name] ?? null
      return value === null || kind === 'alias' ? [] : [[name, value]]
    }),
  )
}

const idsIn = async (look: Look, path: string): Promise<readonly string[]> =>
  (await look(`/${path}?fields=uuid&rpp=100`)).map(([id]) => String(id))

/** Reads and writes of single objects. */
const showObjects = async (show: Show, look: Look, referred: Referred): Promise<void> => {
  for (const [name, body] of Object.entries(newObjects(referred))) await show(`create${name}`, { body })
  for (const body of furtherContent(referred))
    await show('createContent', { name: String(body['content_type']), body })
  const rows = await look('/content?fields=content_type,uuid&order=created&rpp=100')
  const typed = new Map(rows.toReversed().map(([type, id]) => [String(type), String(id)]))
  for (const [name, uuid] of [...typed].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await show('readContent', { name, parameters: { uuid } })
  for (const [name, path] of Object.entries(shown)) {
    const isContent = name === 'Content'
    const uuid = isContent ? (typed.get('article') ?? '') : ((await idsIn(look, path))[0] ?? '')
    const parameters = { uuid }
    const object = await show(`read${name}`, { parameters, ...(isContent ? { name: 'article' } : {}) })
    await show(`replace${name}`, { parameters, body: sendable(path, object) })
    await show(`change${name}`, { parameters, body: changes[name] ?? {} })
  }
}

const showSlots = async (show: Show, referred: Referred, story: string, slot: string): Promise<void> => {
  const content = { uuid: story }
  const slotOf = { ...content, slot_uuid: slot }
  await show('replaceSlot', { parameters: slotOf, body: { relevance: 'inline', display: 'carousel' } })
  await show('changeSlot', { parameters: slotOf, body: { display: 'gallery' } })
  const items = Object.values(media(referred))
  for (const [where, parameters] of [
    ['Slot', slotOf],
    ['Content', content],
  ] as const) {
    await show(`replace${where}Media`, { parameters, body: { items: items.slice(0, 2) } })
    for (const [name, body] of Object.entries(media(referred)))
      await show(`add${where}Medium`, { name, parameters, body })
  }
  await show('removeSlot', { parameters: slotOf })
}

const showFiles = async (show: Show, image: string): Promise<void> => {
  const uploaded = await show('uploadFile', { parameters: { uuid: image }, data: smallPng })
  const upload = String(uploaded['download_url']).split('/').at(-1) ?? ''
  await show('downloadFile', { parameters: { uuid: image, upload, w: 640 } })
}

const showTags = async (show: Show, story: string, tag: string): Promise<void> => {
  const tagging = { uuid: tag, predicate: 'describes', object_uuid: story }
  await show('attachTag', { parameters: tagging, body: { created: '2026-02-28T18:00:00' } })
  await show('readTagging', { parameters: tagging })
  await show('listTaggedObjects', {
    parameters: { uuid: tag, predicate: 'describes', fields: 'type,uuid,url', rpp: 3 },
  })
  await show('detachTag', { parameters: tagging })
}

const showComments = async (show: Show, story: string, uuid: string): Promise<void> => {
  await show('createComment', { body: newComment(story) })
  const parameters = { uuid }
  const read = await show('readComment', { parameters })
  await show('replaceComment', { parameters, body: sendable('comments', read) })
  await show('changeComment', { parameters, body: { edited_comment: 'Who took it?', state: 'published' } })
}

const showRelatedLinks = async (show: Show, uuid: string, location: string): Promise<void> => {
  const parameters = { uuid }
  await show('listRelatedLinks', { parameters })
  await show('replaceRelatedLinks', { parameters, body: { items: relatedLinks(location) } })
  for (const body of relatedLinks(location))
    await show('addRelatedLink', { name: String(body['type']), parameters, body })
}

const showTagsOf = async (show: Show, kind: string, uuid: string): Promise<void> => {
  await show(`list${kind}Tags`, { parameters: { uuid } })
  await show(`list${kind}TagsByPredicate`, { parameters: { uuid, predicate: 'describes' } })
}

const showPaths = async (show: Show, kind: string, uuid: string, path: string): Promise<void> => {
  const parameters = { uuid }
  await show(`add${kind}Path`, { parameters, body: { path } })
  await show(`list${kind}Paths`, { parameters })
  await show(`replace${kind}Paths`, { parameters, body: { items: [{ path }, { path: `${path}old/` }] } })
}

/** All of it; everything that can be shown more than once is shown as the document is best read. */
export const showAll = async (
  show: Show,
  look: Look,
  key: { readonly api_key: string; readonly api_secret: string },
) => {
  for (const id of ['readService', 'readLiveness', 'readReadiness', 'readSettings'] as const) await show(id)
  await show('exchangeToken', { body: { grant_type: 'client_credentials', ...key } })
  await show('readSetting', { parameters: { name: 'timezone' } })
  await show('replaceSettings', { body: { title: 'Demo', timezone: 'Europe/Vienna', directory_addon: true } })
  await show('changeSettings', { body: { title: 'Demo', language: 'en' } })

  const [locations, images, sections, tags, contents, comments, redirects] = await Promise.all(
    ['locations', 'files', 'sections', 'tags', 'content', 'comments', 'redirects'].map((path) =>
      idsIn(look, path),
    ),
  )
  const image = images?.[0] ?? ''
  const referred = { section: sections?.[3] ?? '', image, locations: locations ?? [] }
  await show('createBlog', { body: blog })
  const blogId = { uuid: (await idsIn(look, 'blogs'))[0] ?? '' }
  await show('readBlog', { parameters: blogId })
  await show('replaceBlog', { parameters: blogId, body: { ...blog, section_uuid: referred.section } })

  const articles = await look('/content?fields=uuid&ctypes=articles&order=issued.desc&rpp=1')
  const story = String(articles[0]?.[0])
  for (const [id, parameters] of Object.entries(lists)) await show(id, { parameters })
  await showObjects(show, look, referred)

  const shownStory = { parameters: { uuid: story } }
  await show('readContentInfo', shownStory)
  const [slot] = (await show('listSlots', shownStory))['items'] as readonly JsonObject[]
  const shownSlot = { parameters: { uuid: story, slot_uuid: String(slot?.['uuid']) } }
  await show('readSlot', shownSlot)
  await show('listSlotMedia', shownSlot)
  await show('listContentMedia', shownStory)
  await showSlots(show, referred, story, shownSlot.parameters.slot_uuid)
  await showFiles(show, images?.at(-1) ?? '')

  const tag = { uuid: tags?.[0] ?? '' }
  await showTags(show, story, tags?.[1] ?? '')
  for (const [kind, uuid] of [
    ['Content', story],
    ['Location', referred.locations[1] ?? ''],
    ['File', image],
    ['Blog', blogId.uuid],
  ] as const)
    await showTagsOf(show, kind, uuid)
  const [category = ''] = await idsIn(look, 'tags/categories')
  await show('listCategoryTags', { parameters: { uuid: category, fields: 'uuid,title' } })
  const members = (await look(`/tags/categories/${category}/tags?fields=uuid`)).map(([id]) => String(id))
  const ofCategory = { uuid: category }
  const items = members.map((tag_uuid) => ({ tag_uuid }))
  await show('replaceCategoryTags', { parameters: ofCategory, body: { items } })
  await show('addCategoryTag', { parameters: ofCategory, body: { tag_uuid: members[0] ?? '' } })
  await show('listCategoriesOfTag', { parameters: { uuid: members[0] ?? '', fields: 'uuid,title' } })
  await show('readTagCloud', { parameters: { limit: 3 } })
  await show('resolvePath', { parameters: { path: '/' } })

  const listing = { uuid: referred.locations[1] ?? '' }
  const listed = (await show('listListingImages', { parameters: listing }))['items'] as readonly JsonObject[]
  const pictures = listed.map(({ uuid }) => ({ uuid: String(uuid) }))
  await show('replaceListingImages', { parameters: listing, body: { items: pictures } })
  await show('addListingImage', { parameters: listing, body: pictures[0] ?? {} })

  const [home = ''] = await idsIn(look, 'homepage')
  const homepage = { parameters: { uuid: home } }
  await show('readHomepage', homepage)
  await show('replaceHomepage', { ...homepage, body: { title: 'Homepage' } })
  await show('changeHomepage', { ...homepage, body: { title: 'Homepage' } })
  await show('removeHomepage', { parameters: { uuid: 'mon' } })
  await show('readHeadlineStories', homepage)
  await show('replaceHeadlineStories', { ...homepage, body: headlines(story) })
  await show('readFeaturedStories', homepage)
  await show('replaceFeaturedStories', { ...homepage, body: { auto: true, auto_max: 4, auto_tag_uuids: [] } })

  await showComments(show, story, comments?.[0] ?? '')
  await showRelatedLinks(show, story, referred.locations[0] ?? '')
  await showPaths(show, 'Section', referred.section, '/arts/')
  await showPaths(show, 'Content', story, '/2025/three-photographs/')
  await showPaths(show, 'Location', listing.uuid, '/places/minuto/')
  await showPaths(show, 'Tag', tag.uuid, '/topics/moon/')
  await show('changeBlog', { parameters: blogId, body: { description: 'Notes from the newsroom.' } })
  await show('removeBlog', { parameters: blogId })
  for (const [name, ids] of Object.entries({
    Section: sections,
    Content: contents,
    Location: locations,
    File: images,
    Tag: tags,
    TagCategory: [category],
    Comment: comments,
    Redirect: redirects,
  }))
    await show(`remove${name}`, { parameters: { uuid: ids?.at(-1) ?? '' } })
}
