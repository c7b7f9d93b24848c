import { systemIds } from '@publishing-service/adapter-system'
import { content, file, notFound, resources, section } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { before, beforeEach, describe, it } from 'mocha'
import { collections, systemCollections } from '../collections.js'
import { listInstances } from '../deployment-operations.js'
import {
  createObject,
  listMedia,
  listTrash,
  listVersions,
  readDraft,
  readObject,
  resolvePath,
  restoreFromTrash,
} from '../operations.js'
import { bytesOf } from '../test-support/ascii.js'
import { failingAfter } from '../test-support/failing-stores.js'
import {
  exportedFrom,
  fillPublication,
  importedTo,
  presentData,
  slotId,
  type MemoryBundle,
} from '../test-support/memory-bundle.js'
import { createUser, runAsOperator } from '../test-support/people.js'
import { createStage, left, right, storedIn, type Stage } from '../test-support/stage.js'
import { userAttributes } from './bundle-lines.js'

const textIn = (entries: MemoryBundle, name: string): string => {
  const found = entries.get(name)
  if (typeof found !== 'string') throw new Error(`${name} is no text`)
  return found
}

const linesIn = (entries: MemoryBundle): readonly string[] =>
  ['documents.jsonl', 'blobs.jsonl'].flatMap((name) => textIn(entries, name).split('\n').slice(0, -1))

const objectIn = (line: string): JsonObject => {
  const value: unknown = JSON.parse(line)
  if (!isJsonObject(value)) throw new Error(line)
  return value
}

const dataIn = (entries: MemoryBundle) => [...entries].filter(([name]) => name.startsWith('blobs/'))

describe('bundles', function () {
  this.timeout(20_000)
  let source: Stage
  let made: Awaited<ReturnType<typeof fillPublication>>
  let plain: MemoryBundle
  let whole: MemoryBundle
  before(async () => {
    source = await createStage()
    made = await fillPublication(source)
    plain = (await exportedFrom(source.useCases, 1)).entries
    whole = (await exportedFrom(source.useCases, 1, true)).entries
  })

  let target: Stage
  beforeEach(async () => {
    target = await createStage({ ids: systemIds })
  })

  const imported = async (entries: MemoryBundle, options: Parameters<typeof importedTo>[2] = {}) => {
    const result = await importedTo(target.useCases, entries, options)
    if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
    return result.right
  }
  const withUsers = async () => ({
    ada: await createUser(target, { name: 'Ada', email: 'ada@example.org' }),
    bob: await createUser(target, { name: 'Bob', email: 'bob@example.org' }),
  })

  it('have no accounts, keys, addresses or secrets', async () => {
    const text = linesIn(whole).join('\n')
    expect(text).not.to.include('192.0.2.1')
    const found = new Set(linesIn(whole).map((line) => objectIn(line)['collection']))
    const allowed: readonly unknown[] = [
      undefined,
      ...resources.map(({ collection }) => collection),
      'drafts',
      'removals',
      'audit',
      'earlier_states',
    ]
    expect(allowed).to.include.members([...found])
  })

  it('have the present data of files, and that of earlier versions with the history', () => {
    expect(dataIn(plain).map(([, data]) => data)).to.deep.equal([presentData])
    expect(dataIn(whole)).to.have.lengthOf(2)
  })

  it('name users by one kind of attribute, which is that in every resource', () => {
    expect(userAttributes).to.include.members(['created_by', 'review_by', 'draft_by', 'publish_by'])
    for (const { attributes, collection } of resources)
      for (const name of userAttributes) {
        const attribute = attributes[name]
        if (attribute?.kind === 'stored')
          expect(attribute.type.namesUser, `${collection}.${name}`).to.equal(true)
      }
    const withUploads = resources.filter(({ attributes }) => attributes['blob'] !== undefined)
    expect(withUploads.map(({ collection }) => collection)).to.deep.equal([file.collection])
  })

  it('make an instance that serves the same objects, with their data', async () => {
    await withUsers()
    const { instance, unknownUsers, withoutData } = await imported(plain)
    expect([instance.id, unknownUsers, withoutData]).to.deep.equal([2, [], 0])
    const as = target.as('admin', 2)
    const parameters = {}
    const story = await right(target.run(readObject(content), as, { id: made.story, parameters }))
    expect(story).to.include({ title: 'Another title', path: '/top/below/story/' })
    const draft = await right(target.run(readDraft(content), as, { id: made.story }))
    expect(draft).to.include({ title: 'A draft' })
    const media = await right(target.run(listMedia, as, { contentId: made.story, slotId, parameters }))
    expect(media.items).to.have.lengthOf(1)
    const [data] = await storedIn(target.documents, file.collection, 2)
    const blob = String(data?.value['blob'])
    expect(blob).to.match(/^2\//)
    expect(await right(target.blobs.size(`${blob}/original`))).to.equal(presentData.length)
    expect(await storedIn(target.documents, systemCollections.places.name, 2)).not.to.have.lengthOf(0)
    // A place that is taken cannot be taken again.
    const body = { title: 'x', urlname: 'top', parent_uuid: null }
    const refused = await left(target.run(createObject(section), { ...as, strict: true }, { body }))
    expect(refused).to.have.property('_tag', 'BadParameters')
  })

  for (const history of [false, true])
    it(`are equal after an import${history ? ' with the history' : ''}`, async () => {
      const users = await withUsers()
      const entries = history ? whole : plain
      await imported(entries)
      const again = (await exportedFrom(target.useCases, 2, history)).entries
      const ids = new Map([
        [users.ada, made.ada.id],
        [users.bob, made.bob.id],
      ])
      /** Without what differs: users, ids of records, checksums and times of exports. */
      const comparable = (all: MemoryBundle) =>
        linesIn(all)
          .slice(0, -1)
          .map((line) => {
            let text = line
            for (const [there, here] of ids) text = text.replaceAll(there, here)
            const value = objectIn(text)
            const { collection } = value
            if ('bundle' in value) return { ...value, time: null }
            return collection === 'audit' || collection === 'earlier_states' ? { ...value, id: null } : value
          })
      expect(comparable(again)).to.deep.equal(comparable(entries))
      expect(dataIn(again)).to.deep.equal(dataIn(entries))
    })

  it('bring versions and the trash with the history', async () => {
    await withUsers()
    await imported(whole)
    const as = target.as('admin', 2)
    const versionsAt = async (stage: Stage, instance: number) =>
      (
        await right(
          stage.run(listVersions(content), stage.as('admin', instance), { id: made.story, parameters: {} }),
        )
      ).items.map(({ version, operation, changed }) => ({ version, operation, changed }))
    expect(await versionsAt(target, 2)).to.deep.equal(await versionsAt(source, 1))
    const trash = await right(target.run(listTrash, as, { parameters: {} }))
    expect(JSON.stringify(trash.items)).to.include(made.removed)
    const recorded = await storedIn(target.documents, systemCollections.audit.name)
    const last = Math.max(...recorded.map(({ position }) => position))
    await right(
      target.run(restoreFromTrash, { ...as, requestId: 'r' }, { collection: 'content', id: made.removed }),
    )
    const after = await storedIn(target.documents, systemCollections.audit.name)
    expect(after.filter(({ position }) => position > last)).to.have.lengthOf(1)
    expect(recorded.every(({ position }) => position < Date.parse('2020-01-01') * 1000)).to.equal(true)
    const read = target.run(readObject(content), as, { id: made.removed, parameters: {} })
    expect(await right(read)).to.include({ urlname: 'removed' })
  })

  it('leave users whom the deployment does not have, and name them', async () => {
    const bob = await createUser(target, { name: 'Bob', email: 'bob@example.org' })
    const { users, unknownUsers } = await imported(plain)
    expect(users).to.equal(2)
    expect(unknownUsers).to.deep.equal([{ user: made.ada.id, email: 'ada@example.org' }])
    const created = Object.fromEntries(
      (await storedIn(target.documents, content.collection, 2)).map(({ id, value }) => [
        id,
        value['created_by'],
      ]),
    )
    expect(created).to.deep.equal({ [made.story]: null, [made.other]: bob })
  })

  it('give all objects other UUIDs on request, wherever they are named', async () => {
    await imported(whole, { newIds: true, title: 'The copy' })
    const again = linesIn((await exportedFrom(target.useCases, 2, true)).entries).join('\n')
    for (const id of [made.top, made.below, made.wine, made.picture, made.story, made.other, made.removed])
      expect(again).not.to.include(id)
    expect(again).to.include(slotId)
    const as = target.as('admin', 2)
    const resolved = await right(target.run(resolvePath, as, { path: '/top/below/story/', parameters: {} }))
    const json = JSON.stringify(resolved)
    expect(json).not.to.include(made.story)
    const [settings] = (await right(target.useCases.administerInstances.list())).slice(1)
    expect(settings?.settings).to.include({ title: 'The copy' })
  })

  it('are imported into the deployment that they are of, without sharing anything', async () => {
    const { instance } = await importedTo(source.useCases, whole).then((result) => {
      if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
      return result.right
    })
    const [data] = await storedIn(source.documents, file.collection, instance.id)
    const [original] = await storedIn(source.documents, file.collection, 1)
    expect(data?.value['blob']).not.to.equal(original?.value['blob'])
    expect(data?.value['created_by']).to.equal(original?.value['created_by'])
    const draft = source.run(readDraft(content), source.as('admin', instance.id), { id: made.story })
    expect(await right(draft)).to.include({ title: 'A draft' })
  })

  it('are of instances that exist', async () => {
    const outcome = await left(async () => {
      try {
        return E.right(await exportedFrom(target.useCases, 9))
      } catch (error) {
        return error === notFound ? E.left(notFound) : E.right(error)
      }
    })
    expect(outcome).to.deep.equal(notFound)
  })

  describe('that are wrong', () => {
    const damagedWith = (change: (entries: MemoryBundle) => unknown): MemoryBundle => {
      const entries: MemoryBundle = new Map(whole)
      change(entries)
      return entries
    }
    const replaced = (name: string, from: string | RegExp, to: string) => (entries: MemoryBundle) =>
      entries.set(name, textIn(entries, name).replace(from, to))

    const expectRefused = async (entries: MemoryBundle, words: RegExp): Promise<void> => {
      const result = await importedTo(target.useCases, entries)
      expect(result, String(words)).to.have.nested.include({ 'left._tag': 'ExportDamaged' })
      expect(JSON.stringify(result)).to.match(words)
      expect(await right(target.useCases.administerInstances.list())).to.have.lengthOf(1)
      expect(await storedIn(target.documents, content.collection, 2)).to.deep.equal([])
      for await (const { key } of target.blobs.list('2')) expect.fail(key)
    }

    it('are refused with the line, with nothing visible', async () => {
      const first = 'documents.jsonl'
      const [data = ''] = dataIn(whole).map(([name]) => name)
      const cases: readonly (readonly [(entries: MemoryBundle) => unknown, RegExp])[] = [
        [replaced(first, '"bundle":1', '"bundle":2'), /line 1 has version 2/],
        [replaced(first, '"bundle"', '"export"'), /line 1 is not the header/],
        [replaced(first, 'Another title', 'A changed title'), /another checksum/],
        [replaced(first, '\n', '\n{}\n'), /line 2 is not a line/],
        [replaced(first, /"blob":"1\//, '"blob":"2/'), /names file data of another/],
        [
          replaced(first, '"collection":"sections","instance":1', '"collection":"users","instance":0'),
          /unknown collection/,
        ],
        [replaced('blobs.jsonl', /\n[^\n]*\n$/, '\n'), /cut off/],
        [replaced('blobs.jsonl', '"blob":"1/', '"blob":"../'), /no key of a blob/],
        [(entries) => entries.delete(data), /is missing/],
        [(entries) => entries.set(data, bytesOf('short')), /has 5 bytes instead of/],
        [(entries) => entries.delete(first), /is missing/],
      ]
      for (const [change, words] of cases) await expectRefused(damagedWith(change), words)
    })

    it('are refused where the data of a file was changed, and removed again', async () => {
      const [[name, data] = ['', '']] = dataIn(whole)
      const other = damagedWith((entries) => entries.set(name, bytesOf('x'.repeat(data.length))))
      await expectRefused(other, /was changed/)
      expect(await imported(whole)).to.have.nested.include({ 'instance.id': 3 })
    })
  })

  it('can be given up after an interruption: the instance is listed by itself, and deleted', async () => {
    const { administerInstances, deleteInstance } = target.useCases
    await importedTo(target.anotherProcess(failingAfter(target, 10, false)), whole)
    const [unfinished, ...others] = await right(administerInstances.listUnfinished())
    expect([unfinished?.id, others]).to.deep.equal([2, []])
    expect(await right(administerInstances.list())).to.have.lengthOf(1)
    const shown = await runAsOperator(target, listInstances, { parameters: {} })
    expect(shown.items).to.have.lengthOf(1)
    const title = String(unfinished?.settings['title'])
    await right(deleteInstance.run({ number: 2, title, wait: async () => undefined }))
    expect(await right(administerInstances.listUnfinished())).to.deep.equal([])
    for (const { name } of collections)
      expect(await storedIn(target.documents, name, 2), name).to.deep.equal([])
    for await (const { key } of target.blobs.list('2')) expect.fail(key)
    expect(await imported(whole)).to.have.nested.include({ 'instance.id': 3 })
  })

  it('are served only once they are whole, after an interruption at any write', async () => {
    const reference = await createStage()
    await importedTo(reference.useCases, whole)
    const expected = linesIn((await exportedFrom(reference.useCases, 2, true)).entries)
    for (let writes = 1; ; writes += 1) {
      const stage = await createStage()
      const process = stage.anotherProcess(failingAfter(stage, writes, writes % 2 === 0))
      const first = await importedTo(process, whole)
      if (E.isRight(first)) {
        expect(writes).to.be.above(20)
        break
      }
      const numbers = (await right(stage.useCases.administerInstances.list())).map(({ id }) => id)
      if (numbers.length === 1) {
        const read = stage.run(readObject(content), stage.as('admin', 2), { id: made.story, parameters: {} })
        expect(await left(read)).to.have.property('_tag', 'NotFound')
      }
      const again = await importedTo(stage.useCases, whole)
      expect(again, String(writes)).to.have.property('_tag', 'Right')
      if (numbers.length > 1) continue
      const lines = linesIn((await exportedFrom(stage.useCases, 2, true)).entries)
      const withoutTime = (all: readonly string[]) =>
        all.slice(0, -1).map((line) => line.replace(/"time":"[^"]*"/, ''))
      expect(withoutTime(lines)).to.deep.equal(withoutTime(expected))
    }
  })
})
