import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import {
  content,
  file,
  notFound,
  section,
  type Resource,
  type Role,
  type WriteMode,
} from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  aSection,
  createStage,
  faultsOf,
  forbidden,
  left,
  unavailable,
  right,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import type { Precondition } from './precondition.js'
import { readObject } from './read-one.js'
import { changeObject, createObject, replaceObject } from './write.js'
import { changing } from '../test-support/memory-documents.js'

const dead = '99999999-9999-4999-8999-999999999999'

describe('writing an object', () => {
  let documents: ControllableStore
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    stage = await createStage({ documents })
  })

  type Request = {
    readonly role?: Role
    readonly id?: string | null
    readonly instance?: number
    readonly precondition?: Precondition
    readonly useCases?: Process
  }

  const write = (
    resource: Resource,
    mode: WriteMode,
    body: JsonObject,
    { role = 'admin', id = null, instance = 1, precondition, useCases = stage.useCases }: Request = {},
  ): Outcome<string> => {
    const request = { ...stage.as(role, instance), ...(precondition === undefined ? {} : { precondition }) }
    if (id === null) return useCases.run(createObject(resource), request, { body })
    const operation = mode === 'put' ? replaceObject(resource) : changeObject(resource)
    return useCases.run(operation, request, { id, body })
  }

  const read = (resource: Resource, id: string): Promise<JsonObject> =>
    right(stage.run(readObject(resource), stage.as('admin'), { id, parameters: {} }))

  it('creates an object with a new id or one chosen by the client, replaces and changes it', async () => {
    const own = await right(write(content, 'put', article('a')))
    expect(await read(content, own)).to.include({ uuid: own, urlname: 'a', kicker: null })
    const id = dead
    expect(await right(write(content, 'put', article('b', { kicker: 'K' }), { id }))).to.equal(id)
    await right(write(content, 'patch', { sub_title: 'S' }, { id }))
    expect(await read(content, id)).to.include({ kicker: 'K', sub_title: 'S' })
    await right(write(content, 'put', article('b'), { id }))
    expect(await read(content, id)).to.include({ kicker: null, sub_title: null })
  })

  it('sets the date of changed objects only', async () => {
    const id = await stage.create(content, article('a'))
    const made = await read(content, id)
    stage.clock.advance(60_000)
    await right(write(content, 'put', made, { id }))
    await right(write(content, 'patch', {}, { id }))
    expect(await read(content, id)).to.deep.equal(made)
    await right(write(content, 'patch', { title: 'New' }, { id }))
    const { created, modified } = await read(content, id)
    expect({ created, modified }).to.deep.equal({
      created: '2026-03-01T13:00:00',
      modified: '2026-03-01T13:01:00',
    })
  })

  it('rejects changes of missing objects', async () => {
    expect(await left(write(content, 'patch', { title: 'T' }, { id: dead }))).to.deep.equal(notFound)
  })

  it('requires the role for creating or changing', async () => {
    const id = await stage.create(section, aSection('s'))
    await right(write(section, 'patch', { title: 'T' }, { id, role: 'editor' }))
    expect(await left(write(section, 'put', aSection('t'), { id: dead, role: 'editor' }))).to.deep.equal(
      forbidden,
    )
    expect(await left(write(content, 'put', article('a'), { role: 'reader' }))).to.deep.equal(forbidden)
  })

  it('reports all faults together: values, references, the urlname that is taken', async () => {
    await stage.create(content, article('taken'))
    const wrong = article('taken', { title: '', header_image_uuid: dead, teaser_image_uuid: dead })
    expect(await faultsOf(write(content, 'put', wrong))).to.have.keys([
      'title',
      'header_image_uuid',
      'teaser_image_uuid',
      'urlname',
    ])
  })

  it('requires references to existing objects of the right collection in the same instance', async () => {
    await right(stage.useCases.administerInstances.create({ title: 'Other', timezone: 'UTC' }))
    const elsewhere = await right(write(section, 'put', aSection('s'), { instance: 2 }))
    expect(await faultsOf(write(content, 'put', article('a', { section_uuid: elsewhere })))).to.have.keys([
      'section_uuid',
    ])
    const empty = await stage.create(file, { title: 'No data', filename: 'f.png' })
    expect(await faultsOf(write(content, 'put', article('a', { teaser_image_uuid: empty })))).to.have.keys([
      'teaser_image_uuid',
    ])
    const here = await stage.create(section, aSection('s'))
    await right(write(content, 'put', article('a', { section_uuid: here })))
  })

  it('rejects a duplicate urlname in a scope until the object is deleted', async () => {
    const id = await stage.create(content, article('a'))
    const message = 'urlname not unique within section'
    expect(await faultsOf(write(content, 'put', article('a')))).to.deep.equal({ urlname: message })
    const here = await stage.create(section, aSection('s'))
    await right(write(content, 'put', article('a', { section_uuid: here })))
    await right(write(content, 'patch', { urlname: 'b' }, { id }))
    await right(write(content, 'put', article('a')))
  })

  it('places a section after its last sibling', async () => {
    const ords: unknown[] = []
    for (const name of ['a', 'b', 'c'])
      ords.push((await read(section, await stage.create(section, aSection(name))))['ord'])
    expect(ords).to.deep.equal([1, 2, 3])
    const parent = await stage.create(section, aSection('d'))
    expect(await read(section, await stage.create(section, aSection('a', parent)))).to.include({ ord: 1 })
  })

  it('checks the precondition against what the caller reads, null for a missing object', async () => {
    const seen: (JsonObject | null)[] = []
    const precondition: Precondition = (current) => {
      seen.push(current)
      return seen.length !== 2
    }
    const id = await right(write(content, 'put', article('a'), { id: dead, precondition }))
    const refused = write(content, 'patch', { title: 'T' }, { id, precondition })
    expect(await left(refused)).to.deep.equal({ _tag: 'PreconditionFailed' })
    await right(write(content, 'patch', { title: 'T' }, { id, precondition }))
    expect(seen.map((each) => each?.['title'] ?? null)).to.deep.equal([null, 'An article', 'An article'])
  })

  it('retries after a concurrent write, so that both changes are kept', async () => {
    const id = await stage.create(content, article('a'))
    const held = documents.hold('replace', 'content')
    const running = right(write(content, 'patch', { kicker: 'K' }, { id }))
    await held.reached
    const other = { id, useCases: stage.anotherProcess() }
    await right(write(content, 'patch', { sub_title: 'S' }, other))
    held.release()
    await running
    expect(await read(content, id)).to.include({ kicker: 'K', sub_title: 'S' })
  })

  it('checks the precondition again when it retries', async () => {
    const id = await stage.create(content, article('a'))
    const held = documents.hold('replace', 'content')
    const precondition: Precondition = (current) => current?.['title'] === 'An article'
    const running = left(write(content, 'patch', { kicker: 'K' }, { id, precondition }))
    await held.reached
    await right(write(content, 'patch', { title: 'T' }, { id, useCases: stage.anotherProcess() }))
    held.release()
    expect(await running).to.deep.equal({ _tag: 'PreconditionFailed' })
  })

  it('is Unavailable after repeated conflicts', async () => {
    const id = await stage.create(content, article('a'))
    const busy = changing(
      documents,
      'replace',
      'content',
      () => async () => E.left({ _tag: 'VersionConflict', change: 0 }),
    )
    const request = { id, useCases: stage.anotherProcess({ documents: busy }) }
    expect(await left(write(content, 'patch', { kicker: 'K' }, request))).to.deep.equal({
      _tag: 'Unavailable',
      retryAfter: 1,
    })
  })

  it('reports documents that are too large, and fails if its stores fail', async () => {
    const small = changing(
      documents,
      'insert',
      'content',
      () => async () => E.left({ _tag: 'DocumentTooLarge', limit: 5 }),
    )
    const request = { useCases: stage.anotherProcess({ documents: small }) }
    expect(await left(write(content, 'put', article('a'), request))).to.deep.equal({
      _tag: 'TooLarge',
      limit: 5,
    })
    for (const call of ['get', 'insert'] as const) {
      documents.fail(call, 'content')
      expect(await left(write(content, 'put', article('a'), { id: dead }))).to.deep.equal(unavailable)
    }
    documents.fail('find', 'sections')
    expect(await left(write(section, 'put', aSection('s')))).to.deep.equal(unavailable)
  })
})
