/** The store calls of each kind of request, measured on a running service: a table of docs/architecture.md. */
import { randomUUID } from 'node:crypto'
import { tokens } from '@publishing-service/composition-root'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type ApiResponse, type Api } from '../harness/http-client.js'
import { storeImage, uploadTo } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf } from '../harness/small-files.js'
import { moduleProviding, startTestService } from '../harness/start-test-service.js'
import { countingStores, type CountingStores, type Uses } from './counting-stores.js'
import { markdownTable } from './markdown-table.js'

type CostRow = { readonly title: string; readonly send: () => Promise<ApiResponse | string> }

const fresh = { 'Cache-Control': 'no-cache' }

const article = (title: string, rest: Readonly<Record<string, string>> = {}) => ({
  content_type: 'article',
  title,
  urlname: title.toLowerCase().replaceAll(' ', '-'),
  ...rest,
})

/** A publication with two nested sections, and an article with an image in the inner section. */
const createObjects = async ({ admin }: Publication) => {
  const [outer, inner, elsewhere, story, slot] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ]
  const image = await storeImage(admin)
  expectOk(await admin.put(`/sections/${outer}`, { title: 'Outer', urlname: 'outer' }))
  expectOk(await admin.put(`/sections/${inner}`, { title: 'Inner', urlname: 'inner', parent_uuid: outer }))
  expectOk(await admin.put(`/sections/${elsewhere}`, { title: 'Elsewhere', urlname: 'elsewhere' }))
  const body = {
    section_uuid: inner,
    teaser_image_uuid: image.id,
    content: `<p>Text.</p><slot id="${slot}"/>`,
  }
  expectOk(await admin.put(`/content/${story}`, article('A story', body)))
  const items = [{ type: 'file', image_uuid: image.id }]
  expectOk(await admin.put(`/content/${story}/slots/${slot}/media`, { items }))
  expectOk(await admin.post('/comments', { parent_type: 'content', parent_uuid: story, comment: 'First.' }))
  return { outer, inner, elsewhere, story, slot, image }
}

type CreatedObjects = Awaited<ReturnType<typeof createObjects>>

const reads = (api: Api, { story, slot }: CreatedObjects): readonly CostRow[] => [
  { title: 'The same article again, from the cache', send: () => api.get(`/content/${story}`) },
  {
    title: 'An article with an image, in a section within another',
    send: () => api.get(`/content/${story}`, fresh),
  },
  {
    title: 'A page of a collection, with the attributes of its rows',
    send: () => api.get('/content?fields=title-urlname-url&order=title&rpp=100', fresh),
  },
  {
    title: 'A page with an attribute that looks into sections (`path`)',
    send: () => api.get('/content?fields=title-path', fresh),
  },
  {
    title: 'A page of one article with its number of comments (`comments_count`)',
    send: () => api.get('/content?fields=title-comments_count', fresh),
  },
  {
    title: 'A page of comments in the order of their tree, with their parents',
    send: () => api.get(`/comments?content=${story}&order=tree&fields=comment-parent_url`, fresh),
  },
  { title: 'The slots of an article', send: () => api.get(`/content/${story}/slots`, fresh) },
  {
    title: 'The media of a slot, with an image',
    send: () => api.get(`/content/${story}/slots/${slot}/media`, fresh),
  },
]

const writes = (
  api: Api,
  { story, slot, inner, outer, elsewhere, image }: CreatedObjects,
): readonly CostRow[] => [
  { title: 'POST of an article', send: () => api.post('/content', article('Another')) },
  {
    title: 'POST of an article in a section, with an image',
    send: () =>
      api.post('/content', article('A third', { section_uuid: inner, teaser_image_uuid: image.id })),
  },
  { title: 'PATCH of a title', send: () => api.patch(`/content/${story}`, { title: 'New' }) },
  { title: 'PATCH that changes nothing', send: () => api.patch(`/content/${story}`, { title: 'New' }) },
  {
    title: 'PUT of a slot',
    send: () => api.put(`/content/${story}/slots/${slot}`, { relevance: 'inline', display: 'gallery' }),
  },
  {
    title: 'POST of a medium with an image',
    send: () => api.post(`/content/${story}/slots/${slot}/media`, { type: 'file', image_uuid: image.id }),
  },
  {
    title: 'PATCH that moves a section below one at the top',
    send: () => api.patch(`/sections/${elsewhere}`, { parent_uuid: outer }),
  },
  {
    title: 'POST of a comment on an article',
    send: () => api.post('/comments', { parent_type: 'content', parent_uuid: story, comment: 'Well said.' }),
  },
  { title: 'DELETE of an article with two comments', send: () => api.delete(`/content/${story}`) },
  { title: 'DELETE of an empty section', send: () => api.delete(`/sections/${elsewhere}`) },
]

const fileData = (api: Api, { image }: CreatedObjects): readonly CostRow[] => {
  const current = { path: image.download }
  return [
    { title: 'Download of an image', send: () => api.get(current.path, fresh) },
    {
      title: 'Upload of new data in place of the old',
      send: async () => {
        current.path = await uploadTo(api, image.id, 'image/png', pngOf(400, 300))
        return current.path
      },
    },
    { title: 'First download of the image at 40 pixels', send: () => api.get(`${current.path}?w=40`, fresh) },
    { title: 'A later download at 40 pixels, into the cache', send: () => api.get(`${current.path}?w=40`) },
    { title: 'The same again, from the cache', send: () => api.get(`${current.path}?w=40`) },
  ]
}

const shown = (uses: Uses, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const count = uses[name] ?? 0
      return count === 0 ? [] : [`${count} ${name}`]
    })
    .join(', ') || '–'

const measured = async (stores: CountingStores, steps: readonly CostRow[]): Promise<readonly string[][]> => {
  const rows: string[][] = []
  for (const { title, send } of steps) {
    stores.takeCounts()
    const response = await send()
    if (typeof response !== 'string') expectOk(response)
    const { documents, blobs } = stores.takeCounts()
    rows.push([
      title,
      shown(documents, ['get', 'getMany', 'find', 'countGroups']),
      shown(documents, ['insert', 'replace', 'remove']),
      shown(blobs, ['size', 'read', 'list', 'write', 'remove']),
    ])
  }
  return rows
}

/** The table, one request per row. The clock is stopped, so that cached values do not expire. */
export const requestCosts = async (): Promise<string> => {
  const stores = countingStores()
  const service = await startTestService(
    { STORE: 'memory', BLOBS: 'memory' },
    {
      documents: moduleProviding(tokens.documents, stores.documents),
      blobs: moduleProviding(tokens.blobs, stores.blobs),
    },
  )
  try {
    const publication = await createPublication(service)
    const furniture = await createObjects(publication)
    const { admin } = publication
    const newToken = createApi(publication.url, await service.tokenFor('admin', publication.number))
    const steps: readonly CostRow[] = [
      { title: 'First request with a token, of the settings', send: () => newToken.get('/settings') },
      { title: 'Later requests with it, of the settings', send: () => newToken.get('/settings', fresh) },
      {
        title: 'An article, into the cache',
        send: () => admin.get(`/content/${furniture.story}`),
      },
      ...reads(admin, furniture),
      ...writes(admin, furniture),
      ...fileData(admin, furniture),
    ]
    const rows = await measured(stores, steps)
    return markdownTable(['Request', 'Reads', 'Writes', 'Blob store'], rows)
  } finally {
    await service.stop()
  }
}
