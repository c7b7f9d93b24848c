/** No two objects have one public path (docs/behaviour/paths.md#one-path-one-object), with several processes and crashes. */
import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, location, section, tag, type Resource } from '@publishing-service/domain'
import { E, type Either } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { Failure } from '../failure.js'
import { removeObject } from '../engine/remove.js'
import { changeObject, createObject, replaceObject } from '../engine/write.js'
import { everyInterleaving, type Results } from '../test-support/every-interleaving.js'
import { article, aSection, createStage, faultsOf, right, type Stage } from '../test-support/stage.js'
import { resolvePath } from './resolve-path.js'

const anEvent = (urlname: string, more: JsonObject = {}): JsonObject => ({
  ...article(urlname, more),
  content_type: 'event',
  dtstart: '2026-05-01T10:00:00',
})
const aLocation = (urlname: string): JsonObject => ({ title: 'A place', urlname, state: 'published' })
const aTag = (urlname: string): JsonObject => ({ last_name_or_title: 'A tag', urlname })

const ofSection = 'urlname not unique within parent section'
const ofContent = 'urlname not unique within section'
const ofEvents = 'urlname must be unique for events'

describe('the place of an object among the public paths', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const create = (resource: Resource, body: JsonObject) =>
    stage.run(createObject(resource), stage.as('admin'), { body })
  const change = (resource: Resource, id: string, body: JsonObject) =>
    stage.run(changeObject(resource), stage.as('admin'), { id, body })
  const expectTaken = async (outcome: ReturnType<typeof create>, urlname: string) =>
    expect(await faultsOf(outcome)).to.deep.equal({ urlname })
  const resolve = async (path: string): Promise<unknown> =>
    right(stage.run(resolvePath, stage.as('reader'), { parameters: { path } }))
  const places = async (): Promise<readonly string[]> => {
    const query = { where: [], order: [], skip: 0, limit: 99, detail: 'full' } as const
    const { documents } = await right(stage.documents.find('places', 1, query))
    return documents
      .flatMap(({ id, value }) =>
        value['collection'] === '' ? [] : [`${id} ${String(value['collection'])}`],
      )
      .toSorted()
  }

  /** Stores an object as an earlier release did, which compared names within one collection only. */
  const storeAs = async (resource: Resource, body: JsonObject, urlname: string): Promise<string> => {
    const id = await stage.create(resource, body)
    const stored = await right(stage.documents.get(resource.collection, 1, id))
    if (stored === null) return expect.fail('is not stored')
    const value = { ...stored.value, urlname }
    await right(stage.documents.replace(resource.collection, 1, { ...stored, unique: id, value }))
    return id
  }

  /** Removes what an earlier release did not store. */
  const forgetPlaces = async (): Promise<void> => {
    const query = { where: [], order: [], skip: 0, limit: 99, detail: 'full' } as const
    const { documents } = await right(stage.documents.find('places', 1, query))
    for (const { id, version } of documents) await right(stage.documents.remove('places', 1, id, version))
    const instance = await right(stage.documents.get('instances', 0, '1'))
    if (instance === null) return expect.fail('has no instance')
    const { places: _recorded, ...value } = instance.value
    await right(stage.documents.replace('instances', 0, { ...instance, unique: null, value }))
  }

  it('is taken by one object of any kind, without regard to letter case, with the message of the kind', async () => {
    const kultur = await stage.create(section, aSection('kultur'))
    await stage.create(content, anEvent('fest'))
    await stage.create(content, article('Story', { section_uuid: kultur }))
    await expectTaken(create(content, article('kultur')), ofContent)
    await expectTaken(create(content, anEvent('KULTUR')), ofEvents)
    await expectTaken(create(content, article('Fest')), ofContent)
    await expectTaken(create(section, aSection('fest')), ofSection)
    await expectTaken(create(section, aSection('Kultur')), ofSection)
    await expectTaken(create(section, aSection('story', kultur)), ofSection)
    await stage.create(content, article('story'))
    await stage.create(section, aSection('kultur', kultur))
    const halls = await stage.create(location, aLocation('hall'))
    await expectTaken(create(location, aLocation('Hall')), 'urlname must be unique for locations')
    await stage.create(tag, aTag('hall'))
    await expectTaken(create(tag, aTag('HALL')), "'urlname' must be unique for tags.")
    await right(change(location, halls, { urlname: 'Hall' }))
    expect(await places()).to.deep.equal([
      '/fest content',
      '/kultur sections',
      '/locations/hall locations',
      '/story content',
      '/tags/hall tags',
      `${kultur}/kultur sections`,
      `${kultur}/story content`,
    ])
  })

  it('is checked when an object is renamed, moved, replaced, or has other faults, and free after a deletion', async () => {
    const news = await stage.create(section, aSection('news'))
    const top = await stage.create(section, aSection('local'))
    const story = await stage.create(content, article('local', { section_uuid: news }))
    await expectTaken(change(section, top, { parent_uuid: news }), ofSection)
    await expectTaken(change(content, story, { section_uuid: null }), ofContent)
    await expectTaken(change(content, story, { section_uuid: null, urlname: 'NEWS' }), ofContent)
    const both = { content_type: 'article', urlname: 'Local', evergreen: 7 }
    expect(await faultsOf(create(content, both)))
      .to.include({ urlname: ofContent })
      .and.have.property('title')
    await right(change(content, story, { urlname: 'other' }))
    await right(change(section, top, { parent_uuid: news }))
    await right(stage.run(removeObject(section), stage.as('admin'), { id: top }))
    await right(change(content, story, { urlname: 'LOCAL' }))
    expect(await places()).to.deep.equal(['/news sections', `${news}/local content`])
  })

  it('is avoided by a urlname that is made from a title', async () => {
    await stage.create(content, article('Local'))
    const made = await right(create(section, { title: 'Local' }))
    expect((await right(stage.documents.get('sections', 1, made)))?.value['urlname']).to.equal('local-1')
    const tags = await stage.create(section, aSection('tags'))
    await stage.create(content, article('jazz', { section_uuid: tags }))
    const jazz = await right(create(tag, { last_name_or_title: 'Jazz' }))
    expect((await right(stage.documents.get('tags', 1, jazz)))?.value['urlname']).to.equal('jazz-1')
  })

  it('is shared by locations and tags with what is in a section of their path', async () => {
    await stage.create(location, aLocation('hall'))
    const halls = await stage.create(section, aSection('Locations'))
    await expectTaken(create(content, article('HALL', { section_uuid: halls })), ofContent)
    await expectTaken(create(section, aSection('hall', halls)), ofSection)
    const bar = await stage.create(content, article('bar', { section_uuid: halls }))
    await expectTaken(create(location, aLocation('Bar')), 'urlname must be unique for locations')
    expect(await resolve('/Locations/bar/')).to.include({ uuid: bar })
    const inner = await stage.create(section, aSection('locations', halls))
    await stage.create(content, article('hall', { section_uuid: inner }))
    const subjects = await stage.create(section, aSection('subjects'))
    await stage.create(content, article('jazz', { section_uuid: subjects }))
    await stage.create(tag, aTag('Jazz'))
    await expectTaken(change(section, subjects, { urlname: 'tags' }), ofSection)
    await right(change(section, subjects, { urlname: 'locations-2' }))
  })

  it('stays with the first of those that an earlier release stored; the others stay writable', async () => {
    const event = await stage.create(content, anEvent('fest'))
    const later = await storeAs(content, article('fest-later'), 'fest')
    const kultur = await storeAs(section, aSection('kultur'), 'kultur')
    const story = await storeAs(content, article('kultur-later'), 'kultur')
    const upper = await storeAs(content, article('upper'), 'Fest')
    await forgetPlaces()
    expect(await stage.useCases.completePlaces()).to.equal(5)
    expect(await stage.useCases.completePlaces()).to.equal(0)
    expect(await resolve('/fest/')).to.include({ uuid: event })
    expect(await resolve('/kultur/')).to.include({ uuid: kultur })
    expect(await resolve('/Fest/')).to.deep.equal({ type: 'redirect', location: '/fest/', status: 301 })
    for (const id of [later, story, upper]) await right(change(content, id, { title: 'New' }))
    const { samePath } = await right(stage.useCases.verifyStorage(() => undefined))
    expect(samePath).to.deep.equal({
      count: 3,
      first: [
        `1/content/${later} has the path of 1/content/${event}`,
        `1/content/${story} has the path of 1/sections/${kultur}`,
        `1/content/${upper} has the path of 1/content/${event}`,
      ],
    })
  })

  it('is free if the object of its document is elsewhere, and kept by an object that an earlier release stored', async () => {
    await stage.create(content, article('a'))
    const b = await stage.create(content, article('b'))
    await forgetPlaces()
    await stage.useCases.completePlaces()
    await expectTaken(create(section, aSection('a')), ofSection)
    await expectTaken(create(section, aSection('b')), ofSection)
    const stored = await right(stage.documents.get('content', 1, b))
    if (stored === null) return expect.fail('is not stored')
    await right(stage.documents.remove('content', 1, b, stored.version))
    await stage.create(section, aSection('b'))
  })

  it('has a document of its own, however long the name', async () => {
    const news = await stage.create(section, aSection('news'))
    const long = 'x'.repeat(250)
    await stage.create(content, article(`${long}a`, { section_uuid: news }))
    await stage.create(section, aSection(`${long}b`, news))
    await expectTaken(create(section, aSection(`${long}a`, news)), ofSection)
  })

  it('is claimed by nothing that keeps it', async () => {
    const news = await stage.create(section, aSection('news'))
    const id = await stage.create(content, article('a', { section_uuid: news }))
    const write: DocumentStore['write'] = (...call) => {
      expect(call[1].map(({ collection }) => collection)).not.to.include('places')
      return stage.documents.write(...call)
    }
    const another = stage.anotherProcess({ documents: { ...stage.documents, write } })
    await right(
      another.run(changeObject(content), stage.as('admin'), { id, body: { title: 'b', urlname: 'A' } }),
    )
  })
})

describe('two writers of one path', () => {
  const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
  type Writer = {
    readonly resource: Resource
    readonly body: (stage: Stage, target: string) => JsonObject
    /** What is stored before; the writer changes it. */
    readonly before?: JsonObject
  }
  const newSection: Writer = { resource: section, body: () => aSection('x') }
  const newArticle: Writer = { resource: content, body: () => article('X') }
  const renamedArticle: Writer = {
    resource: content,
    before: article('y'),
    body: () => ({ urlname: 'x' }),
  }
  const newLocation: Writer = { resource: location, body: () => aLocation('x') }
  const inLocations: Writer = {
    resource: content,
    body: (_stage, target) => article('x', { section_uuid: target }),
  }

  const cases: readonly (readonly [string, Writer, Writer, string | null, number])[] = [
    ['a section and an article are made', newSection, newArticle, null, 1],
    ['a section is made, an article renamed', newSection, renamedArticle, null, 1],
    [
      'an article is renamed, an event made',
      renamedArticle,
      { resource: content, body: () => anEvent('x') },
      null,
      1,
    ],
    [
      'a location and an article in the section `locations` are made',
      newLocation,
      inLocations,
      'locations',
      1,
    ],
  ]

  for (const [name, one, other, target, crashes] of cases)
    it(`one is refused, in every order, with a crash at every step: ${name}`, async () => {
      const outcomes = { one: 0, none: 0 }
      await everyInterleaving<Either<Failure, unknown>>(async () => {
        const store = memoryDocumentStore(collections)
        const stage = await createStage({ documents: store })
        const parent = target === null ? '' : await stage.create(section, aSection(target))
        const writers = [one, other].map((writer, index) => ({ ...writer, id: ids[index] ?? '' }))
        for (const { resource, before, id } of writers)
          if (before !== undefined) await stage.create(resource, before, id)
        const write = (
          { resource, before, body, id }: (typeof writers)[number],
          documents: DocumentStore,
        ) => {
          const operation = before === undefined ? replaceObject(resource) : changeObject(resource)
          return stage
            .anotherProcess({ documents })
            .run(operation, stage.as('admin'), { id, body: body(stage, parent) })()
        }
        const storedNames = async () => {
          const found = await Promise.all(
            writers.map(({ resource, id }) => store.get(resource.collection, 1, id)()),
          )
          return found.filter(
            (each) => E.isRight(each) && String(each.right?.value['urlname']).toLowerCase() === 'x',
          ).length
        }
        const verify = async (answers: Results<Either<Failure, unknown>>): Promise<void> => {
          const accepted = answers.filter((each) => each !== null && E.isRight(each)).length
          const stored = await storedNames()
          expect(stored, 'objects with the path').to.be.at.most(1)
          expect(accepted).to.be.at.most(stored)
          outcomes[stored === 1 ? 'one' : 'none'] += 1
          for (const answer of answers)
            if (answer !== null && E.isLeft(answer) && !answers.includes(null))
              expect(answer.left._tag).to.equal('BadParameters')
          // What a crash left blocks nobody for good.
          stage.clock.advance(61_000)
          for (const writer of writers) await write(writer, store)
          expect(await storedNames()).to.equal(1)
        }
        return {
          store,
          collections: ['sections', 'content', 'locations', 'places'],
          crashes,
          turn: stage.clock.turn,
          processes: writers.map((writer) => (documents: DocumentStore) => write(writer, documents)),
          verify,
        }
      }, 100)
      expect(outcomes.one).to.be.above(0)
    }).timeout(300_000)

  it('no location gets the path of an object in a section that becomes `locations`, in every order', async () => {
    const outcomes = { renamed: 0, made: 0 }
    await everyInterleaving<Either<Failure, unknown>>(async () => {
      const store = memoryDocumentStore(collections)
      const stage = await createStage({ documents: store })
      const places = await stage.create(section, aSection('places'))
      const processOf = (documents: DocumentStore) => stage.anotherProcess({ documents })
      const admin = stage.as('admin')
      return {
        store,
        collections: ['sections', 'content', 'locations', 'places'],
        crashes: 0,
        turn: stage.clock.turn,
        processes: [
          (documents) =>
            processOf(documents).run(changeObject(section), admin, {
              id: places,
              body: { urlname: 'locations' },
            })(),
          (documents) => processOf(documents).run(createObject(location), admin, { body: aLocation('x') })(),
          (documents) =>
            processOf(documents).run(createObject(content), admin, {
              body: article('x', { section_uuid: places }),
            })(),
        ],
        verify: async (answers) => {
          const [renamed, made, written] = answers.map((answer) => answer !== null && E.isRight(answer))
          expect(renamed === true && made === true && written === true, 'all succeed').to.equal(false)
          if (renamed === true) outcomes.renamed += 1
          if (made === true) outcomes.made += 1
        },
      }
    }, 150)
    expect(outcomes.renamed).to.be.above(0)
    expect(outcomes.made).to.be.above(0)
  }).timeout(300_000)
})
