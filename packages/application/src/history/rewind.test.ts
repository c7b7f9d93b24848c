/** The objects of an instance as they were at a moment (docs/behaviour/history.md#rewind). */
import {
  comment,
  content,
  file,
  homepage,
  redirect,
  section,
  tag,
  type Resource,
} from '@publishing-service/domain'
import { storyLists } from '@publishing-service/domain/content'
import type { JsonObject } from '@publishing-service/domain/json'
import { subjectsWithVersions } from '@publishing-service/domain/roles'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { RunOperation } from '../imports/run-import.js'
import {
  attachTag,
  changeObject,
  changeSettings,
  listObjects,
  listTags,
  listTrash,
  removeFromTrash,
  removeObject,
  replaceObject,
  replaceStories,
  restoreFromTrash,
  uploadFile,
} from '../operations.js'
import { bodyOf } from '../test-support/ascii.js'
import { failingAfter } from '../test-support/failing-stores.js'
import {
  article,
  aSection,
  createStage,
  deployment,
  faultsOf,
  processOver,
  right,
  start,
  storedIn,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import { listRewound, rewindObjects, type RewoundRecord } from './rewind.js'

const [minute, day] = [60_000, 86_400_000]

/** What a rewind does not give back (docs/behaviour/history.md#rewind). */
const left: ReadonlySet<string> = new Set(['modified', 'touched_at', 'old_paths', 'past_paths'])

/** The states of all objects with versions, as they are stored. */
const statesIn = async (
  stage: Pick<Stage, 'documents'>,
  instance = 1,
): Promise<Readonly<Record<string, JsonObject>>> => {
  const states: [string, JsonObject][] = []
  for (const collection of subjectsWithVersions)
    for (const { id, value } of await storedIn(stage.documents, collection, instance))
      states.push([
        `${collection}/${id}`,
        Object.fromEntries(Object.entries(value).filter(([name]) => !left.has(name))),
      ])
  return Object.fromEntries(states.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const uuid = (number: number): string => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('a rewind', function () {
  this.timeout(60_000)
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const runIn =
    ({ run }: Pick<Process, 'run'>, instance = 1): RunOperation =>
    (operation, input) =>
      run(operation, { ...stage.as('admin', instance), requestId: 'r' }, input)
  const run: RunOperation = (operation, input) => runIn(stage)(operation, input)

  const put = (resource: Resource, id: string, body: JsonObject) =>
    right(run(replaceObject(resource), { id, body }))
  const change = (resource: Resource, id: string, body: JsonObject) =>
    right(run(changeObject(resource), { id, body }))
  const remove = (resource: Resource, id: string) => right(run(removeObject(resource), { id }))

  /** A moment after all that was written, and before all that follows. */
  const moment = (): number => {
    stage.clock.advance(minute)
    const now = stage.clock.now()
    stage.clock.advance(minute)
    return now
  }

  const rewind = async (to: number, process: Pick<Process, 'run'> = stage, isTrial = false) => {
    const found = await right(runIn(process)(listRewound, { to }))
    const records: RewoundRecord[] = []
    for await (const record of rewindObjects(runIn(process), found, isTrial)) records.push(record)
    return records
  }

  const outcomesOf = (records: readonly RewoundRecord[]): Readonly<Record<string, string>> =>
    Object.fromEntries(records.map(({ id, outcome }) => [id, outcome]))

  /** Rewinds, and expects these states, and that a repetition changes nothing. */
  const expectRewound = async (to: number, expected: Readonly<Record<string, JsonObject>>) => {
    const records = await rewind(to)
    expect(records.flatMap(({ faults }) => faults)).to.deep.equal([])
    expect(await statesIn(stage)).to.deep.equal(expected)
    const audited = (await storedIn(stage.documents, 'audit')).length
    for (const { outcome, faults } of await rewind(to)) {
      expect(outcome).to.equal('unchanged')
      expect(faults).to.deep.equal([])
    }
    expect((await storedIn(stage.documents, 'audit')).length).to.equal(audited)
    return outcomesOf(records)
  }

  const comments = async (): Promise<readonly unknown[]> =>
    (await right(run(listObjects(comment), { parameters: { fields: 'comment' } }))).items

  const commentOn = (id: string, text: string) =>
    put(comment, uuid(900 + text.length), {
      parent_type: 'content',
      parent_uuid: id,
      comment: text,
      state: 'published',
    })

  it('removes what was created since, and gives back what was changed and deleted', async () => {
    const [changed, removed, both, created] = [uuid(1), uuid(2), uuid(3), uuid(4)]
    for (const id of [changed, removed, both]) await put(content, id, article(`n${id}`, { title: 'One' }))
    await put(content, uuid(5), article('untouched'))
    await change(content, changed, { title: 'Two' })
    const [to, before] = [moment(), await statesIn(stage)]
    await change(content, changed, { title: 'Three', content: '<p>Text</p>' })
    await change(content, changed, { title: 'Four', urlname: 'four' })
    await remove(content, removed)
    await change(content, both, { title: 'Two' })
    await remove(content, both)
    await right(run(restoreFromTrash, { collection: 'content', id: both }))
    await change(content, both, { title: 'Three' })
    await put(content, created, article('created'))
    const [after, later] = [moment(), await statesIn(stage)]
    expect(outcomesOf(await rewind(to, stage, true))).to.deep.equal({
      [changed]: 'changed',
      [removed]: 'restored',
      [both]: 'changed',
      [created]: 'removed',
    })
    expect(await statesIn(stage)).to.deep.equal(later)
    expect(await expectRewound(to, before)).to.deep.equal({
      [changed]: 'changed',
      [removed]: 'restored',
      [both]: 'changed',
      [created]: 'removed',
    })
    const { items } = await right(run(listTrash, { parameters: { fields: 'uuid' } }))
    expect(items).to.deep.equal([[created]])
    // A rewind is undone by another one.
    await expectRewound(after, later)
  })

  it('gives sections back before what is in them, and takes content out of those that are created since', async () => {
    const [former, below, inFormer, inBelow, since] = [uuid(1), uuid(2), uuid(3), uuid(4), uuid(5)]
    await put(section, former, aSection('news'))
    await put(section, below, aSection('local', former))
    await put(content, inFormer, article('a', { section_uuid: former }))
    await put(content, inBelow, article('b', { section_uuid: below }))
    const [to, before] = [moment(), await statesIn(stage)]
    await remove(content, inBelow)
    await remove(section, below)
    // The section that has the name of the former one cannot be removed before the content has left it.
    await change(section, former, { urlname: 'old' })
    await put(section, since, aSection('news'))
    await change(content, inFormer, { section_uuid: since })
    await remove(section, former)
    expect(await expectRewound(to, before)).to.deep.equal({
      [former]: 'restored',
      [below]: 'restored',
      [inFormer]: 'changed',
      [inBelow]: 'restored',
      [since]: 'removed',
    })
  })

  it('gives content back that was live without an issue date', async () => {
    const [changed, removed] = [uuid(1), uuid(2)]
    for (const id of [changed, removed]) {
      await put(content, id, article(`n${id}`, { state: 'published' }))
      await put(content, id, article(`n${id}`, { state: 'published' }))
      expect((await statesIn(stage))[`content/${id}`]).to.include({ issued: null })
    }
    const [to, before] = [moment(), await statesIn(stage)]
    await change(content, changed, { state: 'draft' })
    await remove(content, removed)
    await expectRewound(to, before)
  })

  it('gives names back that objects have exchanged', async () => {
    const ids = [uuid(1), uuid(2), uuid(3)]
    const rename = async (names: readonly string[]) => {
      for (const [index, id] of ids.entries()) await change(content, id, { urlname: `free-${index}` })
      for (const [index, id] of ids.entries()) await change(content, id, { urlname: names[index] ?? '' })
    }
    for (const id of ids) await put(content, id, article(`name-${id}`))
    await rename(['a', 'b', 'c'])
    const patterns = [uuid(11), uuid(12)]
    for (const id of patterns) await put(redirect, id, { pattern: `/from-${id}`, template: '/to', ord: 1 })
    const [to, before] = [moment(), await statesIn(stage)]
    await rename(['b', 'c', 'a'])
    const [first = '', second = ''] = patterns
    await change(redirect, first, { pattern: '/free' })
    await change(redirect, second, { pattern: `/from-${first}` })
    await change(redirect, first, { pattern: `/from-${second}` })
    await expectRewound(to, before)
  })

  it('gives a deleted object back by whose name another one is called since', async () => {
    const [former, later, moved] = [uuid(1), uuid(2), uuid(3)]
    await put(content, former, article('a'))
    await put(content, moved, article('b'))
    const [to, before] = [moment(), await statesIn(stage)]
    await remove(content, former)
    await put(content, later, article('c'))
    await change(content, moved, { urlname: 'a' })
    await change(content, later, { urlname: 'b' })
    expect(await expectRewound(to, before)).to.deep.equal({
      [former]: 'restored',
      [later]: 'removed',
      [moved]: 'changed',
    })
  })

  it('gives the comments back that were deleted with their content, and leaves others as they are', async () => {
    const [removed, remains] = [uuid(1), uuid(2)]
    await put(content, removed, article('a', { state: 'published' }))
    await put(content, remains, article('b', { state: 'published' }))
    await commentOn(removed, 'Yes')
    await commentOn(remains, 'Maybe')
    const to = moment()
    await commentOn(remains, 'No')
    await remove(content, removed)
    await right(run(changeSettings, { body: { title: 'Another title' } }))
    const { kept } = await right(run(listRewound, { to }))
    expect(kept).to.deep.equal({ comments: 1, settings: 1 })
    expect(outcomesOf(await rewind(to))).to.deep.equal({ [removed]: 'restored' })
    expect(await comments()).to.have.deep.members([['Yes'], ['Maybe'], ['No']])
  })

  it('gives an object back whose UUID another one has since', async () => {
    const id = uuid(1)
    await put(content, id, article('a', { title: 'First', state: 'published' }))
    await commentOn(id, 'Of the first')
    await change(content, id, { title: 'The first' })
    const [to, before] = [moment(), await statesIn(stage)]
    await change(content, id, { title: 'It' })
    await remove(content, id)
    await put(content, id, article('b', { title: 'Second', state: 'published' }))
    await commentOn(id, 'Of the second one')
    const [second, later] = [moment(), await statesIn(stage)]
    expect(await expectRewound(to, before)).to.deep.equal({ [id]: 'restored' })
    expect(await comments()).to.deep.equal([['Of the first']])
    await expectRewound(second, later)
    expect(await comments()).to.deep.equal([['Of the second one']])
  })

  it('gives tags back to what has them', async () => {
    const [story, wine, beer] = [uuid(1), uuid(2), uuid(3)]
    await put(content, story, article('a'))
    await put(tag, wine, { last_name_or_title: 'Wine' })
    const attach = (tagId: string) =>
      right(run(attachTag, { tagId, predicate: 'describes', objectId: story, body: {} }))
    await attach(wine)
    const [to, before] = [moment(), await statesIn(stage)]
    await put(tag, beer, { last_name_or_title: 'Beer' })
    await attach(beer)
    await remove(tag, wine)
    await expectRewound(to, before)
    const { items } = await right(
      run(listTags(content), { id: story, predicate: null, parameters: { fields: 'uuid' } }),
    )
    expect(items).to.have.lengthOf(1)
  })

  it('gives files their data back as long as it is retained', async () => {
    const upload = async (id: string, text: string) => {
      const data = { contentType: 'text/plain', length: undefined, body: bodyOf(text) }
      await right(run(uploadFile, { id, ...data }))
    }
    const [replaced, removed] = [uuid(1), uuid(2)]
    for (const id of [replaced, removed]) {
      await put(file, id, { title: 'F', filename: `${id}.txt` })
      await upload(id, 'one')
    }
    const to = moment()
    const sizes = async () =>
      Object.fromEntries(
        (await storedIn(stage.documents, 'files', 1)).map(({ id, value }) => [id, value['byte_size']]),
      )
    await upload(replaced, 'three')
    await remove(file, removed)
    expect(outcomesOf(await rewind(to))).to.deep.equal({ [replaced]: 'changed', [removed]: 'restored' })
    expect(await sizes()).to.deep.equal({ [replaced]: 3, [removed]: 3 })
    expect(Object.values(outcomesOf(await rewind(to)))).to.deep.equal(['unchanged', 'unchanged'])

    await upload(replaced, 'three')
    await remove(file, removed)
    await right(run(removeFromTrash, { collection: 'files', id: removed }))
    stage.clock.advance(29 * day)
    await change(file, replaced, { title: 'G' })
    stage.clock.advance(2 * day)
    await stage.useCases.expireReplacedData()
    const records = await rewind(to)
    expect(outcomesOf(records)).to.deep.equal({ [replaced]: 'changed', [removed]: 'not_retained' })
    expect(records.find(({ id }) => id === replaced)?.faults).to.have.lengthOf(1)
    expect(await sizes()).to.deep.equal({ [replaced]: 5 })
  })

  it('gives homepages their stories back', async () => {
    const id = Object.values(homepage.given?.words ?? {})[0]?.id ?? ''
    const [list] = storyLists
    const stories = (title: string) => ({
      items: [{ type: 'link', link_url: 'https://example.org/', title }],
    })
    await right(run(replaceStories(list), { id, body: stories('One') }))
    await change(homepage, id, { title: 'One' })
    const [to, before] = [moment(), await statesIn(stage)]
    await right(run(replaceStories(list), { id, body: stories('Two') }))
    await remove(homepage, id)
    await expectRewound(to, before)
  })

  it('leaves what is not retained, and names it', async () => {
    const process = processOver(stage, { ...deployment, retainedVersions: 2 })
    const [often, erased, fine] = [uuid(1), uuid(2), uuid(3)]
    for (const id of [often, erased, fine]) await put(content, id, article(`n${id}`))
    const to = moment()
    for (const title of ['1', '2', '3', '4']) await change(content, often, { title })
    await change(content, fine, { title: '1' })
    await remove(content, erased)
    await right(run(removeFromTrash, { collection: 'content', id: erased }))
    await process.pruneVersions()
    expect(outcomesOf(await rewind(to, process))).to.deep.equal({
      [often]: 'not_retained',
      [erased]: 'not_retained',
      [fine]: 'changed',
    })
  })

  it('refuses moments of which nothing is known', async () => {
    expect(await faultsOf(run(listRewound, { to: stage.clock.now() + 1 }))).to.have.property('to')
    expect(await faultsOf(run(listRewound, { to: stage.clock.now() - 401 * day }))).to.have.property('to')
  })

  it('names what is refused, and takes back all else', async () => {
    const [taken, other, fine] = [uuid(1), uuid(2), uuid(3)]
    for (const [id, name] of [
      [taken, 'a'],
      [fine, 'c'],
    ] as const)
      await put(content, id, article(name))
    const to = moment()
    await remove(content, taken)
    await remove(content, fine)
    // Nothing records who has the name.
    await stage.create(content, article('a'), other)
    const records = await rewind(to)
    expect(outcomesOf(records)).to.deep.equal({ [taken]: 'refused', [fine]: 'restored' })
    expect(records.find(({ id }) => id === taken)?.faults[0]).to.include({ path: 'urlname', code: 'taken' })
  })

  it('leaves other instances as they are', async () => {
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const to = moment()
    await put(content, uuid(1), article('a'))
    await right(runIn(stage, 2)(replaceObject(content), { id: uuid(1), body: article('a') }))
    const before = await statesIn(stage, 2)
    expect(outcomesOf(await rewind(to))).to.deep.equal({ [uuid(1)]: 'removed' })
    expect(await statesIn(stage, 2)).to.deep.equal(before)
  })

  it('goes on where it was interrupted, at each step', async () => {
    const prepare = async () => {
      stage = await createStage()
      const ids = Array.from({ length: 9 }, (_, index) => uuid(index))
      const [news = '', one = '', two = '', gone = '', reused = '', since = '', after = ''] = ids
      await put(section, news, aSection('news'))
      await put(content, one, article('a', { section_uuid: news }))
      await put(content, two, article('b', { section_uuid: news }))
      await put(content, gone, article('c', { state: 'published' }))
      await put(content, reused, article('d'))
      await commentOn(gone, 'Yes')
      const [to, before] = [moment(), await statesIn(stage)]
      await change(content, one, { urlname: 'free', section_uuid: null })
      await change(content, two, { urlname: 'a' })
      await change(content, one, { urlname: 'b', section_uuid: news })
      await remove(content, gone)
      await remove(content, reused)
      await put(content, reused, article('e'))
      await put(section, since, aSection('since'))
      await put(content, after, article('c', { section_uuid: since }))
      return { to, before }
    }
    let isInterrupted = true
    for (let writes = 0; isInterrupted; writes += 1)
      for (const lastApplies of [true, false]) {
        const { to, before } = await prepare()
        const process = stage.anotherProcess(failingAfter(stage, writes, lastApplies))
        isInterrupted = await rewind(to, process).then(
          () => false,
          () => true,
        )
        await stage.useCases.finishCascades()
        const records = await rewind(to)
        expect(records.flatMap(({ faults }) => faults)).to.deep.equal([])
        expect(await statesIn(stage), `after ${writes} writes`).to.deep.equal(before)
        expect(await comments()).to.deep.equal([['Yes']])
        expect(stage.clock.now()).to.be.above(start)
      }
  })
})
