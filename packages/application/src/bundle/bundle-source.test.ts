/** Bundles whose objects come into an instance that exists. */
import { systemIds } from '@publishing-service/adapter-system'
import { content, file, resources, section, tag } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { firstCategory } from '@publishing-service/domain/tags'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { runImport, type ImportedRecord, type RunOperation } from '../imports/run-import.js'
import type { WhereExists } from '../imports/import-object.js'
import { attachTag, changeObject, listTags, readObject } from '../operations.js'
import {
  exportedFrom,
  fillPublication,
  presentData,
  readerOf,
  type MemoryBundle,
} from '../test-support/memory-bundle.js'
import { createStage, right, storedIn, type Stage } from '../test-support/stage.js'
import type { ObjectsRequest } from './bundles.js'

/** What differs: who has written, when and where. */
const ofTheWrite = new Set([
  'created_by',
  'review_by',
  'modified',
  'touched_at',
  'blob',
  'upload',
  'former_uploads',
])

const withoutWrite = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !ofTheWrite.has(name)))

describe('objects of a bundle', () => {
  let source: Stage
  let made: Awaited<ReturnType<typeof fillPublication>>
  let entries: MemoryBundle
  before(async () => {
    source = await createStage()
    made = await fillPublication(source)
    ;({ entries } = await exportedFrom(source.useCases, 1, true))
  })

  let target: Stage
  beforeEach(async () => {
    target = await createStage({ ids: systemIds })
  })

  const importing = async (
    whereExists: WhereExists = 'skip',
    more: Partial<ObjectsRequest> = {},
  ): Promise<readonly ImportedRecord[]> => {
    const read = target.useCases.bundles.readObjects(
      readerOf(entries),
      { instance: 1, newIds: false, only: null, ...more },
      { onProgress: () => undefined },
    )
    const { source: objects, openMedia } = await right(read)
    const run: RunOperation = (operation, input) =>
      target.run(operation, { ...target.as('admin'), strict: true }, input)
    const results: ImportedRecord[] = []
    for await (const result of runImport(run, objects, { whereExists, openMedia })) results.push(result)
    return results
  }
  /** Without the category that every instance starts with: it counts as missing until somebody changes it. */
  const outcomes = (results: readonly ImportedRecord[]) =>
    new Set(results.filter(({ object }) => object?.id !== firstCategory.id).map(({ outcome }) => outcome))
  const as = () => ({ ...target.as('admin'), requestId: 'r' })
  const titleOf = async (id: string) =>
    (await right(target.run(readObject(content), as(), { id, parameters: {} })))['title']

  it('are those of the source, with all parts and data, and without drafts', async () => {
    const results = await importing()
    expect(outcomes(results)).to.deep.equal(new Set(['created']))
    expect(results.flatMap(({ notes }) => notes)).to.deep.equal([])
    for (const { collection } of resources) {
      const values = async (stage: Stage) =>
        Object.fromEntries(
          (await storedIn(stage.documents, collection, 1)).map(({ id, value }) => [id, withoutWrite(value)]),
        )
      expect(await values(target), collection).to.deep.equal(await values(source))
    }
    const [data] = await storedIn(target.documents, file.collection, 1)
    expect(await right(target.blobs.size(`${String(data?.value['blob'])}/original`))).to.equal(
      presentData.length,
    )
    expect(await storedIn(target.documents, 'drafts', 1)).to.deep.equal([])
  })

  it('remain as they are if they exist, or are replaced with all their parts', async () => {
    await importing()
    await right(target.run(changeObject(content), as(), { id: made.story, body: { title: 'Edited' } }))
    const beer = await target.create(tag, { last_name_or_title: 'Beer', urlname: 'beer' })
    const tagging = { tagId: beer, predicate: 'describes', objectId: made.story, body: {} }
    await right(target.run(attachTag, as(), tagging))
    const tags = async () =>
      JSON.stringify(
        await right(target.run(listTags(content), as(), { id: made.story, predicate: null, parameters: {} })),
      )
    expect(outcomes(await importing())).to.deep.equal(new Set(['present']))
    expect(await titleOf(made.story)).to.equal('Edited')
    expect(outcomes(await importing('replace whole'))).to.include('replaced')
    expect(await titleOf(made.story)).to.equal('Another title')
    expect(await tags()).not.to.include(beer)
    expect(await tags()).to.include(made.wine)
  })

  it('are only those that are wanted, and one that is not there is named', async () => {
    const only = new Set([`sections/${made.top}`, `content/${made.removed}`])
    const results = await importing('skip', { only })
    expect(results.map(({ origin, outcome }) => [origin.source, outcome])).to.deep.equal([
      [`sections/${made.top}`, 'created'],
      [`content/${made.removed}`, 'refused'],
    ])
    expect(await storedIn(target.documents, content.collection, 1)).to.deep.equal([])
  })

  it('have other UUIDs on request, the same ones each time', async () => {
    await importing('skip', { newIds: true })
    expect(outcomes(await importing('skip', { newIds: true }))).to.deep.equal(new Set(['present']))
    const [top] = await storedIn(target.documents, section.collection, 1)
    expect(top?.id).not.to.equal(made.top)
    expect(JSON.stringify(await storedIn(target.documents, content.collection, 1))).not.to.include(made.story)
  })

  it('get other names where those are taken', async () => {
    await target.create(section, { title: 'Mine', urlname: 'top', parent_uuid: null })
    const results = await importing()
    const [note] = results.flatMap(({ notes }) => notes)
    expect(note).to.deep.include({ kind: 'urlname' })
    const top = await right(target.run(readObject(section), as(), { id: made.top, parameters: {} }))
    expect(top).to.include({ urlname: 'top-2' })
  })

  it('are refused as a whole if the bundle is damaged', async () => {
    const read = target.useCases.bundles.readObjects(
      readerOf(new Map([...entries].filter(([name]) => !name.startsWith('blobs/')))),
      { instance: 1, newIds: false, only: null },
      { onProgress: () => undefined },
    )
    expect(await read()).to.have.nested.include({ 'left._tag': 'ExportDamaged' })
  })
})
