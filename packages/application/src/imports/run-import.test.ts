/** The import of objects of other systems (docs/import.md). */
import { content, file, resourceOf, section, tag } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import {
  importedObject,
  importRecord,
  type ImportedObject,
  type ImportSource,
  type OpenMedia,
} from '@publishing-service/domain/imports'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  changeObject,
  listMedia,
  listTags,
  listVersions,
  readObject,
  readPathHistory,
  readRelatedLinks,
  readStories,
} from '../operations.js'
import { createStage, right, type Stage } from '../test-support/stage.js'
import { runImport, type ImportedRecord } from './run-import.js'

const uuid = (number: number): string => `5d0c7a52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`
const [sectionId, tagId, fileId, storyId, otherId, slotId] = [1, 2, 3, 4, 5, 6].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const sourceOf = (objects: readonly ImportedObject[]): ImportSource => ({
  total: objects.length,
  records: async function* () {
    for (const [index, object] of objects.entries())
      yield importRecord({
        origin: { source: `object ${index}`, title: object.id, line: index + 1 },
        object,
      })
  },
})

/** A GIF of one pixel. */
const pixel = Uint8Array.of(
  71,
  73,
  70,
  56,
  57,
  97,
  1,
  0,
  1,
  0,
  128,
  0,
  0,
  0,
  0,
  0,
  255,
  255,
  255,
  33,
  249,
  4,
  1,
  0,
  0,
  0,
  0,
  44,
  0,
  0,
  0,
  0,
  1,
  0,
  1,
  0,
  0,
  2,
  1,
  68,
  0,
  59,
)

async function* piecesOf(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data
}

const openMedia: OpenMedia = async ({ address }) =>
  address === 'missing.gif'
    ? E.left('there is no file missing.gif')
    : E.right({ body: piecesOf(pixel), type: 'image/gif', length: pixel.length })

const picture = importedObject({
  collection: 'files',
  id: fileId,
  attributes: { filename: 'a.gif', title: 'A' },
  upload: { address: 'a.gif', type: null },
})

const story = importedObject({
  collection: 'content',
  id: storyId,
  attributes: {
    content_type: 'article',
    title: 'A',
    urlname: 'a',
    content: `<p>Text</p><slot id="${slotId}"/>`,
    section_uuid: sectionId,
  },
  slots: [
    {
      id: slotId,
      attributes: { display: 'gallery' },
      media: [{ type: 'file', image_uuid: fileId, title: 'The caption' }],
    },
  ],
  tags: [{ tag: tagId, predicate: 'describes', attributes: {} }],
  earlier_paths: ['/2020/01/a/'],
  related_links: [{ type: 'content', target_uuid: otherId }],
})

const publication: readonly ImportedObject[] = [
  importedObject({ collection: 'sections', id: sectionId, attributes: { title: 'News', urlname: 'news' } }),
  importedObject({ collection: 'tags', id: tagId, attributes: { last_name_or_title: 'Trams' } }),
  picture,
  story,
  importedObject({
    collection: 'content',
    id: otherId,
    attributes: { content_type: 'article', title: 'B', urlname: 'b' },
  }),
]

describe('runImport', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const importing = async (
    objects: readonly ImportedObject[],
    whereExists: 'skip' | 'replace' = 'skip',
  ): Promise<readonly ImportedRecord[]> => {
    const results: ImportedRecord[] = []
    const run = runImport(
      (operation, input) => stage.run(operation, { ...stage.as('admin'), strict: true }, input),
      sourceOf(objects),
      { whereExists, openMedia },
    )
    for await (const result of run) results.push(result)
    return results
  }

  const outcomes = (results: readonly ImportedRecord[]) => results.map(({ outcome }) => outcome)
  const textsOf = (results: readonly ImportedRecord[]) =>
    results.flatMap(({ notes, faults }) => [
      ...notes.map(({ text }) => text),
      ...faults.map(({ message }) => message),
    ])
  const read = (collection: string, id: string): Promise<JsonObject> => {
    const resource = resourceOf(collection)
    if (resource === undefined) throw new Error(collection)
    return right(stage.run(readObject(resource), stage.as('admin'), { id, parameters: {} }))
  }

  it('creates each object with its parts in one write', async () => {
    const results = await importing(publication)
    expect(outcomes(results)).to.deep.equal(['created', 'created', 'created', 'created', 'created'])
    expect(textsOf(results)).to.deep.equal([])
    const as = stage.as('admin')
    const parameters = {}
    expect(await read('content', storyId)).to.include({ title: 'A', path: '/news/a/' })
    const media = await right(stage.run(listMedia, as, { contentId: storyId, slotId, parameters }))
    expect(media.items).to.have.lengthOf(1)
    const tags = await right(stage.run(listTags(content), as, { id: storyId, predicate: null, parameters }))
    expect(JSON.stringify(tags)).to.include(tagId)
    const history = await right(stage.run(readPathHistory(content), as, { id: storyId }))
    expect(history).to.deep.equal([{ path: '/2020/01/a/' }])
    const links = await right(stage.run(readRelatedLinks, as, { id: storyId, parameters }))
    expect(links.items).to.have.lengthOf(1)
    expect(await read('files', fileId)).to.include({ byte_size: pixel.length })
    const versions = await right(stage.run(listVersions(content), as, { id: storyId, parameters }))
    expect(versions.items.map(({ version }) => version)).to.deep.equal([2])
  })

  it('makes nothing twice, and leaves what was edited since', async () => {
    await importing(publication)
    const body = { title: 'Edited' }
    await right(stage.run(changeObject(content), stage.as('admin'), { id: storyId, body }))
    const before = await read('content', storyId)
    expect(new Set(outcomes(await importing(publication)))).to.deep.equal(new Set(['present']))
    expect(await read('content', storyId)).to.deep.equal(before)
    expect(outcomes(await importing([story], 'replace'))).to.deep.equal(['replaced'])
    expect(await read('content', storyId)).to.include({ title: 'A' })
  })

  it('goes on where it was interrupted, also with links to later objects', async () => {
    await importing(publication.slice(0, 4).map((each) => ({ ...each, related_links: [] })))
    expect(outcomes(await importing(publication))).to.deep.equal([
      'present',
      'present',
      'present',
      'present',
      'created',
    ])
    const links = await right(stage.run(readRelatedLinks, stage.as('admin'), { id: storyId, parameters: {} }))
    expect(links.items).to.have.lengthOf(1)
  })

  it('leaves out what is refused, with a note, and refuses what would lose its body', async () => {
    const attributes = { content_type: 'article', title: 'C', urlname: 'Ç d' }
    const [stored, lost, named] = await importing([
      importedObject({
        collection: 'content',
        id: storyId,
        attributes: { ...attributes, nonsense: 1, section_uuid: sectionId, issued: 'never' },
        slots: [{ id: slotId, attributes: {}, media: [] }],
        tags: [{ tag: tagId, predicate: 'describes', attributes: {} }],
        earlier_paths: ['/x/', 'no path'],
      }),
      importedObject({ collection: 'content', id: otherId, attributes: { ...attributes, content: '<p>' } }),
      importedObject({ collection: 'content', id: fileId, attributes }),
    ])
    expect(stored).to.include({ outcome: 'created' })
    expect(stored?.notes.map(({ kind }) => kind)).to.have.members([
      'urlname',
      'attribute',
      'attribute',
      'attribute',
      'part',
      'part',
      'part',
      'part',
    ])
    expect(await read('content', storyId)).to.include({ urlname: 'C-d', issued: null, section_uuid: null })
    expect(lost).to.include({ outcome: 'refused' })
    expect(lost?.faults.map(({ path }) => path)).to.include('content')
    expect(named).to.include({ outcome: 'created' })
    expect(await read('content', fileId)).to.include({ urlname: 'C-d-2' })
  })

  it('leaves out parts that a collection does not have, with a note for each', async () => {
    const [, news] = await importing([
      importedObject({ collection: 'tags', id: tagId, attributes: { last_name_or_title: 'Trams' } }),
      importedObject({
        collection: 'sections',
        id: sectionId,
        attributes: { title: 'News', urlname: 'news' },
        tags: [{ tag: tagId, predicate: 'describes', attributes: {} }],
        members: [otherId],
        stories: { nonsense: {} },
      }),
    ])
    expect(news).to.include({ outcome: 'created' })
    expect(news?.notes.map(({ kind }) => kind)).to.deep.equal(['part', 'part', 'part'])
    expect(await read('sections', sectionId)).to.include({ title: 'News' })
  })

  it('fills a homepage that is as the service made it, and no other', async () => {
    const stories = { headline_stories: { auto: true, auto_max: 3 } }
    const id = '40eba6e0-0000-4000-8000-000000000000'
    const homepage = importedObject({ collection: 'homepage', id, attributes: { title: 'Front' }, stories })
    expect(outcomes(await importing([homepage]))).to.deep.equal(['created'])
    expect(outcomes(await importing([homepage]))).to.deep.equal(['present'])
    const list = await right(
      stage.run(readStories('headline_stories'), stage.as('admin'), { id, parameters: {} }),
    )
    expect(list).to.include({ auto: true, auto_max: 3 })
    expect(await read('homepage', id)).to.include({ title: 'Front' })
  })

  it('creates no file without data', async () => {
    const results = await importing([
      { ...picture, upload: { address: 'missing.gif', type: null } },
      { ...story, attributes: { ...story.attributes, section_uuid: null }, tags: [], related_links: [] },
    ])
    expect(outcomes(results)).to.deep.equal(['refused', 'created'])
    expect(textsOf(results).join(' ')).to.include('there is no file missing.gif')
    const found = await stage.run(readObject(file), stage.as('admin'), { id: fileId, parameters: {} })()
    expect(E.isLeft(found)).to.equal(true)
    expect(results[1]?.notes.map(({ kind }) => kind)).to.deep.equal(['part'])
  })

  it('names a collection that does not exist', async () => {
    const [result] = await importing([importedObject({ collection: 'nothing', id: storyId, attributes: {} })])
    expect(result).to.include({ outcome: 'refused' })
    expect([section.collection, tag.collection]).to.not.include('nothing')
  })
})
