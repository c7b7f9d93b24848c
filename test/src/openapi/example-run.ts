/**
 * Sends every request that the OpenAPI document shows as an example. Each also succeeds alone on a new service,
 * because it uses objects of the sample publication.
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
  type ReferredObjects,
} from './example-bodies.js'

type Parameters = Readonly<Record<string, string | number>>

export type ExampleRequest = {
  /** Distinguishes examples of the same operation. */
  readonly name?: string
  /** Path and query parameters, by name. */
  readonly parameters?: Parameters
  readonly body?: JsonObject
  /** Data that is sent but not shown. */
  readonly data?: Uint8Array
}

/** Sends an example of an operation, records it, and returns the response body. */
export type SendExample = (id: string, request?: ExampleRequest) => Promise<JsonObject>

/** Reads rows of a collection without recording an example. */
export type ReadRows = (path: string) => Promise<readonly (readonly Json[])[]>

/** The resources by their names in operations, with the paths of their collections. */
const collectionPaths = {
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

/** The body of a PUT: the object as read, without absent and read-only attributes. */
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

const idsIn = async (readRows: ReadRows, path: string): Promise<readonly string[]> =>
  (await readRows(`/${path}?fields=uuid&rpp=100`)).map(([id]) => String(id))

/** Reads and writes of single objects. */
const sendObjects = async (
  sendExample: SendExample,
  readRows: ReadRows,
  referred: ReferredObjects,
): Promise<void> => {
  for (const [name, body] of Object.entries(newObjects(referred)))
    await sendExample(`create${name}`, { body })
  for (const body of furtherContent(referred))
    await sendExample('createContent', { name: String(body['content_type']), body })
  const rows = await readRows('/content?fields=content_type,uuid&order=created&rpp=100')
  const typed = new Map(rows.toReversed().map(([type, id]) => [String(type), String(id)]))
  for (const [name, uuid] of [...typed].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await sendExample('readContent', { name, parameters: { uuid } })
  for (const [name, path] of Object.entries(collectionPaths)) {
    const isContent = name === 'Content'
    const uuid = isContent ? (typed.get('article') ?? '') : ((await idsIn(readRows, path))[0] ?? '')
    const parameters = { uuid }
    const object = await sendExample(`read${name}`, { parameters, ...(isContent ? { name: 'article' } : {}) })
    await sendExample(`replace${name}`, { parameters, body: sendable(path, object) })
    await sendExample(`change${name}`, { parameters, body: changes[name] ?? {} })
  }
}

const sendSlots = async (
  sendExample: SendExample,
  referred: ReferredObjects,
  story: string,
  slot: string,
): Promise<void> => {
  const content = { uuid: story }
  const slotOf = { ...content, slot_uuid: slot }
  await sendExample('replaceSlot', { parameters: slotOf, body: { relevance: 'inline', display: 'carousel' } })
  await sendExample('changeSlot', { parameters: slotOf, body: { display: 'gallery' } })
  const items = Object.values(media(referred))
  for (const [where, parameters] of [
    ['Slot', slotOf],
    ['Content', content],
  ] as const) {
    await sendExample(`replace${where}Media`, { parameters, body: { items: items.slice(0, 2) } })
    for (const [name, body] of Object.entries(media(referred)))
      await sendExample(`add${where}Medium`, { name, parameters, body })
  }
  await sendExample('removeSlot', { parameters: slotOf })
}

const sendFiles = async (sendExample: SendExample, image: string): Promise<void> => {
  const uploaded = await sendExample('uploadFile', { parameters: { uuid: image }, data: smallPng })
  const upload = String(uploaded['download_url']).split('/').at(-1) ?? ''
  await sendExample('downloadFile', { parameters: { uuid: image, upload, w: 640 } })
}

const sendTags = async (sendExample: SendExample, story: string, tag: string): Promise<void> => {
  const tagging = { uuid: tag, predicate: 'describes', object_uuid: story }
  await sendExample('attachTag', { parameters: tagging, body: { created: '2026-02-28T18:00:00' } })
  await sendExample('readTagging', { parameters: tagging })
  await sendExample('listTaggedObjects', {
    parameters: {
      uuid: tag,
      predicate: 'describes',
      fields: 'type,title,url',
      order: 'created.desc',
      rpp: 3,
    },
  })
  await sendExample('detachTag', { parameters: tagging })
}

const sendComments = async (sendExample: SendExample, story: string, uuid: string): Promise<void> => {
  await sendExample('createComment', { body: newComment(story) })
  const parameters = { uuid }
  const read = await sendExample('readComment', { parameters })
  await sendExample('replaceComment', { parameters, body: sendable('comments', read) })
  await sendExample('changeComment', {
    parameters,
    body: { edited_comment: 'Who took it?', state: 'published' },
  })
}

const sendRelatedLinks = async (sendExample: SendExample, uuid: string, location: string): Promise<void> => {
  const parameters = { uuid }
  await sendExample('listRelatedLinks', { parameters })
  await sendExample('replaceRelatedLinks', { parameters, body: { items: relatedLinks(location) } })
  for (const body of relatedLinks(location))
    await sendExample('addRelatedLink', { name: String(body['type']), parameters, body })
}

const sendTagsOf = async (sendExample: SendExample, kind: string, uuid: string): Promise<void> => {
  await sendExample(`list${kind}Tags`, { parameters: { uuid } })
  await sendExample(`list${kind}TagsByPredicate`, { parameters: { uuid, predicate: 'describes' } })
}

const sendPaths = async (
  sendExample: SendExample,
  kind: string,
  uuid: string,
  path: string,
): Promise<void> => {
  const parameters = { uuid }
  await sendExample(`add${kind}Path`, { parameters, body: { path } })
  await sendExample(`list${kind}Paths`, { parameters })
  await sendExample(`replace${kind}Paths`, {
    parameters,
    body: { items: [{ path }, { path: `${path}old/` }] },
  })
}

/** The administration of users, keys, roles and instances. */
const sendAdministration = async (sendExample: SendExample): Promise<void> => {
  await sendExample('readMe')
  const roles = [{ instance: 1, roles: ['editor'] }]
  const created = await sendExample('createUser', { body: { name: 'website', roles } })
  const uuid = String(created['uuid'])
  const parameters = { uuid }
  await sendExample('listUsers', { parameters: { fields: 'uuid,name,roles', order: 'name', rpp: 3 } })
  await sendExample('readUser', { parameters })
  await sendExample('changeUser', { parameters, body: { name: 'website of the magazine' } })
  await sendExample('readUserRoles', { parameters })
  await sendExample('replaceUserRoles', {
    parameters,
    body: { items: [{ instance: 1, roles: ['public_user'] }] },
  })
  const onInstance = { ...parameters, iid: 1 }
  await sendExample('replaceInstanceRoles', { parameters: onInstance, body: { roles: ['reader'] } })
  await sendExample('readInstanceRoles', { parameters: onInstance })
  const issued = await sendExample('createKey', { parameters, body: { title: 'website' } })
  await sendExample('listKeys', { parameters: { ...parameters, fields: 'api_key,created,last_used' } })
  await sendExample('revokeKey', { parameters: { ...parameters, api_key: String(issued['api_key']) } })
  await sendExample('removeInstanceRoles', { parameters: onInstance })
  await sendExample('removeUser', { parameters })
  await sendExample('listInstances', { parameters: { fields: 'id,title,url' } })
  await sendExample('readInstance', { parameters: { iid: 1 } })
  const made = await sendExample('createInstance', {
    body: { title: 'News', timezone: 'Europe/Vienna' },
  })
  await sendExample('removeInstance', { parameters: { iid: Number(made['id']), title: 'News' } })
  const fields = 'created,name,operation,collection,object'
  await sendExample('listAudit', { parameters: { fields, rpp: 3 } })
  await sendExample('listInstanceAudit', { parameters: { fields, rpp: 3 } })
}

/** Sends all examples, in the order of the document where there are several of one operation. */
export const sendAllExamples = async (
  sendExample: SendExample,
  readRows: ReadRows,
  key: { readonly api_key: string; readonly api_secret: string },
) => {
  for (const id of ['readService', 'readLiveness', 'readReadiness', 'readSettings'] as const)
    await sendExample(id)
  const granted = await sendExample('exchangeToken', { body: { grant_type: 'client_credentials', ...key } })
  await sendExample('revokeToken', { body: { token: String(granted['access_token']) } })
  await sendExample('readSetting', { parameters: { name: 'timezone' } })
  await sendExample('replaceSettings', {
    body: {
      title: 'Demo',
      timezone: 'Europe/Vienna',
      directory_addon: true,
      website_url: 'https://www.example.org',
    },
  })
  await sendExample('changeSettings', { body: { title: 'Demo', language: 'en' } })

  const [locations, images, sections, tags, contents, comments, redirects] = await Promise.all(
    ['locations', 'files', 'sections', 'tags', 'content', 'comments', 'redirects'].map((path) =>
      idsIn(readRows, path),
    ),
  )
  const image = images?.[0] ?? ''
  const referred = { section: sections?.[3] ?? '', image, locations: locations ?? [] }
  await sendExample('createBlog', { body: blog })
  const blogId = { uuid: (await idsIn(readRows, 'blogs'))[0] ?? '' }
  await sendExample('readBlog', { parameters: blogId })
  await sendExample('replaceBlog', { parameters: blogId, body: { ...blog, section_uuid: referred.section } })

  const articles = await readRows('/content?fields=uuid&ctypes=articles&order=issued.desc&rpp=1')
  const story = String(articles[0]?.[0])
  for (const [id, parameters] of Object.entries(lists)) await sendExample(id, { parameters })
  await sendObjects(sendExample, readRows, referred)

  const shownStory = { parameters: { uuid: story } }
  await sendExample('readContentInfo', shownStory)
  const [slot] = (await sendExample('listSlots', shownStory))['items'] as readonly JsonObject[]
  const shownSlot = { parameters: { uuid: story, slot_uuid: String(slot?.['uuid']) } }
  await sendExample('readSlot', shownSlot)
  await sendExample('listSlotMedia', shownSlot)
  await sendExample('listContentMedia', shownStory)
  await sendSlots(sendExample, referred, story, shownSlot.parameters.slot_uuid)
  await sendFiles(sendExample, images?.at(-1) ?? '')

  const tag = { uuid: tags?.[0] ?? '' }
  await sendTags(sendExample, story, tags?.[1] ?? '')
  for (const [kind, uuid] of [
    ['Content', story],
    ['Location', referred.locations[1] ?? ''],
    ['File', image],
    ['Blog', blogId.uuid],
  ] as const)
    await sendTagsOf(sendExample, kind, uuid)
  const [category = ''] = await idsIn(readRows, 'tags/categories')
  await sendExample('listCategoryTags', { parameters: { uuid: category, fields: 'uuid,title' } })
  const members = (await readRows(`/tags/categories/${category}/tags?fields=uuid`)).map(([id]) => String(id))
  const ofCategory = { uuid: category }
  const items = members.map((tag_uuid) => ({ tag_uuid }))
  await sendExample('replaceCategoryTags', { parameters: ofCategory, body: { items } })
  await sendExample('addCategoryTag', { parameters: ofCategory, body: { tag_uuid: members[0] ?? '' } })
  await sendExample('listCategoriesOfTag', { parameters: { uuid: members[0] ?? '', fields: 'uuid,title' } })
  await sendExample('readTagCloud', { parameters: { limit: 3 } })
  await sendExample('resolvePath', { parameters: { path: '/' } })
  await sendExample('searchObjects', { parameters: { q: 'market', fields: 'type,title,highlight', rpp: 3 } })
  await sendExample('listOccurrences', { parameters: { rpp: 2, fields: 'title,dtstart,dtend' } })
  await sendExample('readAtomFeed', { parameters: { feed: referred.section } })
  await sendExample('readJsonFeed', { parameters: { feed: referred.section } })
  await sendExample('readSitemap')

  const listing = { uuid: referred.locations[1] ?? '' }
  const listed = (await sendExample('listListingImages', { parameters: listing }))[
    'items'
  ] as readonly JsonObject[]
  const pictures = listed.map(({ uuid }) => ({ uuid: String(uuid) }))
  await sendExample('replaceListingImages', { parameters: listing, body: { items: pictures } })
  await sendExample('addListingImage', { parameters: listing, body: pictures[0] ?? {} })

  const [home = ''] = await idsIn(readRows, 'homepage')
  const homepage = { parameters: { uuid: home } }
  await sendExample('readHomepage', homepage)
  await sendExample('replaceHomepage', { ...homepage, body: { title: 'Homepage' } })
  await sendExample('changeHomepage', { ...homepage, body: { title: 'Homepage' } })
  await sendExample('removeHomepage', { parameters: { uuid: 'mon' } })
  await sendExample('readHeadlineStories', homepage)
  await sendExample('replaceHeadlineStories', { ...homepage, body: headlines(story) })
  await sendExample('readFeaturedStories', homepage)
  await sendExample('replaceFeaturedStories', {
    ...homepage,
    body: { auto: true, auto_max: 4, auto_tag_uuids: [] },
  })

  await sendExample('listSectionStories', { parameters: { uuid: referred.section } })

  await sendComments(sendExample, story, comments?.[0] ?? '')
  await sendRelatedLinks(sendExample, story, referred.locations[0] ?? '')
  await sendPaths(sendExample, 'Section', referred.section, '/arts/')
  await sendPaths(sendExample, 'Content', story, '/2025/three-photographs/')
  await sendPaths(sendExample, 'Location', listing.uuid, '/places/minuto/')
  await sendPaths(sendExample, 'Tag', tag.uuid, '/topics/moon/')
  await sendExample('changeBlog', { parameters: blogId, body: { description: 'Notes from the newsroom.' } })
  await sendExample('removeBlog', { parameters: blogId })
  await sendAdministration(sendExample)
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
    await sendExample(`remove${name}`, { parameters: { uuid: ids?.at(-1) ?? '' } })
}
