/** Generates a publication with slots, tags, earlier paths, files with data, and scaled images. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { resources, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { segmentsOf } from '@publishing-service/domain/engine'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { pngOf, someAudio } from '../harness/small-files.js'
import type { TestService } from '../harness/start-test-service.js'
import { bodiesOf, uniquely, variantsOf, type Candidates } from '../harness/valid-bodies.js'

const seed = 20_260_301

/** Bodies of one variant of a resource, the same in every run. */
const bodies = (
  count: number,
  resource: Resource,
  variant: string | null,
  candidates: Candidates,
): readonly JsonObject[] => {
  const numRuns = Math.ceil(count / resources.length / variantsOf(resource).length)
  return fc.sample(bodiesOf(resource, variant, candidates), { seed, numRuns })
}

const pathOf = (resource: Resource, id: string): string => `/${segmentsOf(resource)}/${id}`

const storeFiles = async (api: Api): Promise<Readonly<Record<'image' | 'audio', readonly string[]>>> => {
  const images: string[] = []
  for (const [width, height] of [
    [60, 40],
    [40, 60],
    [33, 33],
  ] as const) {
    const image = await storeFile(api, { data: pngOf(width, height) })
    expectOk(await api.get(`${image.download}?w=20`))
    images.push(image.id)
  }
  const audio = await storeFile(api, { filename: 'sound.mp3', mimetype: 'audio/mpeg', data: someAudio })
  // Replaced data is copied too.
  const replaced = await storeFile(api, { filename: 'large.bin', mimetype: 'application/zip' })
  const data = Buffer.alloc(3_000_000, 'not compressed')
  expectOk(
    await api.send('POST', `/files/${replaced.id}`, {
      body: data,
      headers: { 'Content-Type': 'application/zip' },
    }),
  )
  return { image: images, audio: [audio.id] }
}

/** Adds slots with media, tags, and earlier paths. */
const addParts = async (api: Api, ids: ReadonlyMap<string, readonly string[]>): Promise<void> => {
  const some = (collection: string): readonly string[] => (ids.get(collection) ?? []).slice(0, 8)
  const tags = some('tags')
  for (const [index, id] of some('content').entries()) {
    const slot = randomUUID()
    expectOk(await api.patch(`/content/${id}`, { content: `<p>A body.</p><slot id="${slot}"/>` }))
    expectOk(await api.put(`/content/${id}/slots/${slot}`, { relevance: 'inline', display: 'gallery' }))
    const items = [
      { type: 'embed', embed_code: `<iframe title="${index}"></iframe>` },
      { type: 'embed', embed_code: 'the second' },
    ]
    expectOk(await api.put(`/content/${id}/slots/${slot}/media`, { items }))
    for (const tag of tags.slice(index % 3)) expectOk(await api.put(`/tags/${tag}/describes/${id}`, {}))
    expectOk(await api.patch(`/content/${id}`, { urlname: `renamed-${index}` }))
  }
  const sections = some('sections')
  for (const [index, id] of sections.entries()) {
    const parent: JsonObject =
      index === 0 ? {} : { parent_uuid: sections[Math.floor((index - 1) / 2)] ?? null }
    expectOk(await api.patch(`/sections/${id}`, { urlname: `moved-${index}`, ...parent }))
  }
  for (const collection of ['content', 'locations'])
    for (const [index, id] of some(collection).entries()) {
      expectOk(await api.patch(`/${collection}/${id}/draft`, { title: `Drafted ${index}` }))
      for (const tag of tags.slice(0, 1))
        expectOk(await api.put(`/${collection}/${id}/draft/tags/describes/${tag}`, {}))
    }
  // One that is not active makes no deliveries, which would differ.
  expectOk(await api.post('/webhooks', { url: 'https://hooks.example.org/', events: ['*'], active: false }))
  // Both have ended before they are copied. The import fails, because a picture is no export.
  const [picture] = some('files')
  for (const job of [
    `/exports/${uuidOf(await api.post('/exports', {}))}`,
    `/imports/${uuidOf(await api.post('/imports', { kind: 'wordpress', file_uuid: picture ?? '' }))}`,
  ])
    while (expectOk(await api.get(job)).object['ended'] === null) await setTimeout(20)
  // Moves to the end of collections without an order, and leaves a gap.
  for (const id of (ids.get('content') ?? []).slice(8, 12)) {
    const { url: _url, ...body } = expectOk(await api.get(`/content/${id}`)).object
    expectOk(await api.delete(`/content/${id}`))
    expectOk(await api.put(`/content/${id}`, body))
  }
}

/** Creates an instance with at least this many objects. */
export const fillPublication = async (service: TestService, count: number): Promise<Publication> => {
  const home = await createPublication(service, {
    directory_addon: true,
    public_downloads: true,
    public_feeds: true,
    website_url: 'https://www.example.org',
  })
  const files = await storeFiles(home.admin)
  const ids = new Map<string, string[]>()
  const candidates: Candidates = ({ collection, media }) =>
    media === undefined ? (ids.get(collection) ?? []) : files[media]
  // References name existing objects, so each variant is created before the bodies of the next one.
  for (const resource of resources)
    for (const variant of variantsOf(resource))
      for (const body of bodies(count, resource, variant, candidates)) {
        const id = randomUUID()
        const parentless = resource.tree === undefined ? {} : { [resource.tree.parent]: null }
        expectOk(await home.admin.put(pathOf(resource, id), { ...uniquely(body, id), ...parentless }))
        ids.set(resource.collection, [...(ids.get(resource.collection) ?? []), id])
        service.clock.advance(61_000)
      }
  await addParts(home.admin, new Map([...ids, ['files', files.image]]))
  return home
}
