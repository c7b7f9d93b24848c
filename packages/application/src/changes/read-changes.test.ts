/** The feed of changes (docs/behaviour/changes.md). */
import {
  comment,
  content,
  file,
  location,
  section,
  tag,
  type Resource,
  type Role,
} from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  attachTag,
  changeObject,
  changeSettings,
  createObject,
  listChanges,
  listInstanceAudit,
  removeObject,
  restoreFromTrash,
  uploadFile,
  type Changes,
} from '../operations.js'
import { bodyOf } from '../test-support/ascii.js'
import { article, aSection, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'

const day = 86_400_000
const published = { state: 'published' }

describe('the feed of changes', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const as = (role: Role) => ({ ...stage.as(role), requestId: 'r' })
  const create = (body: JsonObject, resource: Resource = content) =>
    right(stage.run(createObject(resource), as('admin'), { body }))
  const change = (id: string, body: JsonObject, resource: Resource = content) =>
    right(stage.run(changeObject(resource), as('admin'), { id, body }))
  const remove = (id: string, resource: Resource = content) =>
    right(stage.run(removeObject(resource), as('admin'), { id }))
  const read = (role: Role, parameters: Readonly<Record<string, string>> = {}): Promise<Changes> =>
    right(stage.run(listChanges, as(role), { parameters }))
  const kinds = async (role: Role, parameters: Readonly<Record<string, string>> = {}) =>
    (await read(role, parameters)).items.map(({ kind, uuid }) => `${kind} ${String(uuid).slice(-2)}`)
  const named = (...entries: readonly (readonly [kind: string, id: string])[]) =>
    entries.map(([kind, id]) => `${kind} ${id.slice(-2)}`)

  it('has each change once, as the role sees it', async () => {
    const id = await create(article('a'))
    await change(id, { title: 'B' })
    await change(id, published)
    await change(id, { title: 'C' })
    await change(id, { state: 'draft' })
    await change(id, published)
    await remove(id)
    expect(await kinds('reader')).to.deep.equal(
      named(
        ['created', id],
        ['updated', id],
        ['published', id],
        ['updated', id],
        ['unpublished', id],
        ['published', id],
        ['removed', id],
      ),
    )
    expect(await kinds('public_user')).to.deep.equal(
      named(['published', id], ['updated', id], ['removed', id], ['published', id], ['removed', id]),
    )
    await right(stage.run(restoreFromTrash, as('admin'), { collection: 'content', id }))
    expect(await kinds('public_user')).to.have.length(6)
  })

  it('says what the object is, where it is, and where it was', async () => {
    const top = await create(aSection('news'), section)
    const id = await create(article('a', { ...published, section_uuid: top }))
    const { next } = await read('public_user')
    await change(id, { urlname: 'b' })
    const [moved] = (await read('public_user', { since: next })).items
    expect(moved).to.deep.equal({
      kind: 'updated',
      type: 'content',
      uuid: id,
      url: `https://api.example.org/1/content/${id}`,
      path: '/news/b/',
      previous_path: '/news/a/',
      time: new Date(stage.clock.now()).toISOString(),
    })
    await change(top, { urlname: 'world' }, section)
    await change(top, { meta_description: 'All of it' }, section)
    const sections = (await read('public_user', { since: next, types: 'sections' })).items
    expect(
      sections.map(({ path, previous_path, subtree }) => ({ path, previous_path, subtree })),
    ).to.deep.equal([
      { path: '/world/', previous_path: '/news/', subtree: true },
      { path: '/world/', previous_path: null, subtree: undefined },
    ])
    await remove(id)
    const last = (await read('public_user')).items.at(-1)
    expect(last).to.include({ kind: 'removed', path: '/world/b/' })
    await remove(top, section)
    expect((await read('public_user')).items.at(-2)).to.include({ kind: 'removed', path: null })
  })

  it('has comments with their content, files, and taggings as changes of the object', async () => {
    const id = await create(article('a', published))
    const body = { parent_type: 'content', parent_uuid: id, comment: 'Yes.', ...published }
    const reply = await create(body, comment)
    const picture = await create({ title: 'A text', filename: 'a.txt' }, file)
    const upload = { contentType: 'text/plain', length: 3, body: bodyOf('abc') }
    await right(stage.run(uploadFile, as('admin'), { id: picture, ...upload }))
    const { items, next } = await read('public_user')
    expect(items.map(({ kind, type, uuid }) => [kind, type, uuid])).to.deep.equal([
      ['published', 'content', id],
      ['published', 'comments', reply],
      ['published', 'files', picture],
    ])
    expect(items[1]).to.deep.include({
      parent: { type: 'content', uuid: id, url: `https://api.example.org/1/content/${id}` },
    })
    const label = await create(
      { last_name_or_title: 'A tag', urlname: 'a-tag', type: 'default', state: 'approved' },
      tag,
    )
    await right(
      stage.run(attachTag, as('admin'), { tagId: label, predicate: 'describes', objectId: id, body: {} }),
    )
    expect(await kinds('public_user', { since: next })).to.deep.equal(
      named(['published', label], ['updated', id]),
    )
  })

  it('has changes of settings, which have no UUID and no path, for all roles', async () => {
    const { next } = await read('reader', { since: 'now' })
    const set = (body: JsonObject) => right(stage.run(changeSettings, as('admin'), { body }))
    await set({ title: 'Another' })
    await set({ title: 'Another' })
    await create(article('a', published))
    for (const role of ['public_user', 'reader'] as const)
      expect((await read(role, { since: next, types: 'settings' })).items).to.deep.equal([
        {
          kind: 'updated',
          type: 'settings',
          uuid: null,
          url: 'https://api.example.org/1/settings',
          path: null,
          previous_path: null,
          time: new Date(stage.clock.now()).toISOString(),
        },
      ])
  })

  it('is read on from each place, page by page, and by types', async () => {
    const ids: string[] = []
    for (let i = 0; i < 130; i += 1) ids.push(await create(article(`a${i}`, i % 2 === 0 ? published : {})))
    const all: unknown[] = []
    let since: string | undefined
    for (;;) {
      const { items, next } = await read('reader', since === undefined ? {} : { since })
      since = next
      if (items.length === 0) break
      all.push(...items.map(({ uuid }) => uuid))
    }
    expect(all).to.deep.equal(ids)
    expect(await kinds('reader', { since, types: 'content' })).to.deep.equal([])
    const place = await create({ title: 'A place', urlname: 'place' }, location)
    expect(await kinds('reader', { since, types: 'content' })).to.deep.equal([])
    expect(await kinds('reader', { since, types: 'content,locations' })).to.deep.equal(
      named(['published', place]),
    )
    const { next } = await read('reader', { since: 'now' })
    const last = await create(article('last'))
    expect(await kinds('reader', { since: next })).to.deep.equal(named(['created', last]))
  })

  it('begins with the first change of 30 days by the order of commits, although a later one has an earlier time', async () => {
    const first = await create(article('first'))
    stage.clock.advance(-day / 12)
    const second = await create(article('second'))
    stage.clock.advance(30 * day)
    expect(await kinds('reader')).to.deep.equal(named(['created', first], ['created', second]))
  })

  it('has the changes of 30 days, and refuses older cursors with the reason', async () => {
    const old = await create(article('old'))
    const { next } = await read('reader')
    stage.clock.advance(20 * day)
    const id = await create(article('new'))
    const later = await read('reader', { since: next })
    stage.clock.advance(11 * day)
    expect(await kinds('reader')).to.deep.equal(named(['created', id]))
    expect(
      await left(stage.run(listChanges, as('reader'), { parameters: { since: next } })),
    ).to.have.property('_tag', 'CursorExpired')
    expect(old).not.to.equal(id)
    // A place that is read from again and again does not age.
    const again = await read('reader', { since: later.next })
    stage.clock.advance(25 * day)
    expect(await kinds('reader', { since: again.next })).to.deep.equal([])
  })

  it('rejects what is no place of it, and other instances have nothing of it', async () => {
    await create(article('a'))
    const { next } = await read('reader')
    for (const since of ['', 'x', '1-1', `${next}x-`, `2${next.slice(1)}`, '1-zzzzzzzzzzzz-1', `${next}=`])
      expect(await faultsOf(stage.run(listChanges, as('reader'), { parameters: { since } }))).to.have.keys(
        'since',
      )
    expect(
      await faultsOf(
        stage.run(listChanges, as('reader'), { parameters: { wait: '31', types: 'content,things' } }),
      ),
    ).to.have.keys('wait', 'types')
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const other = { ...stage.as('reader', 2), requestId: 'r' }
    expect((await right(stage.run(listChanges, other, { parameters: {} }))).items).to.deep.equal([])
  })

  it('has places that name a record of the instance, and no position among those of all instances', async () => {
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const other = { ...stage.as('admin', 2), requestId: 'r' }
    const id = await create(article('a'))
    const { next } = await read('reader')
    const [, record = '', time = ''] =
      /^1-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\w+)$/.exec(next) ?? []
    const entries = await right(
      stage.run(listInstanceAudit, as('admin'), {
        parameters: { fields: 'uuid-object', operation: 'createObject' },
      }),
    )
    expect(entries.items).to.deep.equal([[record, id]])
    expect(Number.parseInt(time, 36)).to.equal(stage.clock.now() / 1000)
    for (const name of ['b', 'c'])
      await right(stage.run(createObject(content), other, { body: article(name) }))
    expect((await read('reader', { since: next })).next).to.equal(next)
    expect((await read('reader', { since: 'now' })).next).to.equal(next)
    // The record of another instance is none.
    const [theirs = ''] =
      (await right(stage.run(listChanges, other, { parameters: {} }))).next.match(/-.*-/) ?? []
    expect(await kinds('reader', { since: `1${theirs}${time}` })).to.deep.equal(await kinds('reader'))
  })

  it('is read on from a place without a record before it', async () => {
    const [start, now] = [await read('reader'), await read('reader', { since: 'now' })]
    const id = await create(article('a'))
    for (const { items, next } of [start, now]) {
      expect(items).to.deep.equal([])
      expect(next).to.match(/^1-0-\w+$/)
      expect(await kinds('reader', { since: next })).to.deep.equal(named(['created', id]))
    }
  })

  it('repeats changes and misses none if the record of a place does not exist any more', async () => {
    const first = await create(article('a'))
    const { next } = await read('reader')
    const second = await create(article('b'))
    const unknown = next.replace(/-[0-9a-f]{8}-/, '-ffffffff-')
    expect(unknown).not.to.equal(next)
    const repeated = await read('reader', { since: unknown })
    expect(repeated.items.map(({ uuid }) => uuid)).to.deep.equal([first, second])
    const third = await create(article('c'))
    expect(await kinds('reader', { since: repeated.next })).to.deep.equal(named(['created', third]))
    // A place of a former form has a position instead. Nothing can be read from there.
    const time = next.slice(next.lastIndexOf('-'))
    for (const position of ['1', 'h2k9s0x4w8', 'zzzzzzzzzzz'])
      expect(await kinds('reader', { since: `1-${position}${time}` }), position).to.deep.equal(
        named(['created', first], ['created', second], ['created', third]),
      )
  })
})
