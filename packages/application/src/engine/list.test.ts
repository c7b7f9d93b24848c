import { memoryDocumentStore } from '@publishing-service/adapter-memory'
import { content, location, resources, section, type Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { placeText, type Listing, type PageLink, type Parameters } from '@publishing-service/domain/lists'
import { segmentsOf } from '@publishing-service/domain/engine'
import type { CountedTexts, DocumentStore, Query } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { listOccurrences } from '../events/list-occurrences.js'
import type { Outcome } from '../failure.js'
import { listCollections } from '../list-collections.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  aSection,
  createStage,
  faultsOf,
  left,
  unavailable,
  right,
  type Stage,
} from '../test-support/stage.js'
import { listObjects } from './list.js'
import { changeObject } from './write.js'

describe('listing objects', () => {
  let documents: ControllableStore
  let queries: Query[]
  /** What the store counts, instead of its documents. */
  let counts: number | undefined
  let counted: CountedTexts | undefined
  let stage: Stage
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    queries = []
    const watched: DocumentStore = {
      ...documents,
      find: (collection, instance, query) => {
        if (collection === 'content') queries.push(query)
        return documents.find(collection, instance, query)
      },
      count: (...call) =>
        counts === undefined ? documents.count(...call) : async () => E.right(counts ?? 0),
      countTexts: (...call) => {
        const result = counted
        return result === undefined ? documents.countTexts(...call) : async () => E.right(result)
      },
    }
    stage = await createStage({ documents: watched })
    counts = undefined
    counted = undefined
  })

  const list = (parameters: Parameters, role: Role = 'reader'): Outcome<Listing> =>
    stage.run(listObjects(content), stage.as(role), { parameters })

  const five = async (): Promise<void> => {
    for (const name of ['c', 'a', 'e', 'b', 'd'])
      await stage.create(content, article(name, { title: name, state: name === 'e' ? 'draft' : 'published' }))
  }

  it('shows what has gone live on every page, also where the page before was read earlier', async () => {
    await five()
    await stage.create(content, article('later', { state: 'published', issued: '2026-03-01T13:00:05' }))
    const page = async (number: string) =>
      (await right(list({ fields: 'urlname', order: 'title', rpp: '2', page: number, state: 'live' }))).items
    expect(await page('1')).to.deep.equal([['a'], ['b']])
    stage.clock.advance(5000)
    expect(await page('2')).to.deep.equal([['b'], ['c']])
  })

  it('counts up to 10 000 objects, and at most 100 values of a facet', async () => {
    const top = await stage.create(section, aSection('top'))
    for (const name of ['a', 'b']) await stage.create(content, article(name, { section_uuid: top }))
    for (let index = 0; index < 100; index += 1) {
      const id = await stage.create(section, aSection(`s${index}`))
      await stage.create(content, article(`c${index}`, { section_uuid: id }))
    }
    const { counted: all } = await right(list({ rpp: '1', total: 'true', facets: 'section' }))
    expect(all).to.deep.include({ total: { count: 102, exact: true }, facets_exact: true })
    expect(all?.facets?.['section']).to.have.lengthOf(100)
    expect(all?.facets?.['section']?.[0]).to.deep.equal({ value: top, title: 'A section', count: 2 })
    for (const [found, exact] of [
      [10_000, true],
      [10_001, false],
    ] as const) {
      counts = found
      const { counted: total } = await right(list({ total: 'true' }))
      expect(total).to.deep.equal({ total: { count: 10_000, exact } })
    }
  })

  it('estimates the facets of more objects from a sample', async () => {
    const top = await stage.create(section, aSection('top'))
    counted = { oneIn: 4, documents: 6000, texts: [[{ text: top, count: 1500 }]] }
    const { counted: estimated } = await right(list({ rpp: '1', facets: 'section' }))
    expect(estimated).to.deep.equal({
      facets: { section: [{ value: top, title: 'A section', count: 6000 }] },
      facets_exact: false,
    })
  })

  it('does not show a public_user what refers to an object that it does not see', async () => {
    const place = await stage.create(location, { title: 'A place', urlname: 'place', state: 'draft' })
    const event = { content_type: 'event', dtstart: '2026-03-02T20:00:00', state: 'published' }
    await stage.create(content, article('concert', { ...event, location_uuid: place }))
    const found = async (role: Role) =>
      (await right(stage.run(listOccurrences, stage.as(role), { parameters: { locations: place } }))).items
    expect(await found('public_user')).to.have.lengthOf(0)
    expect(await found('reader')).to.have.lengthOf(1)
    const publish = { id: place, body: { state: 'published' } }
    await right(stage.run(changeObject(location), stage.as('admin'), publish))
    expect(await found('public_user')).to.have.lengthOf(1)
  })

  it('returns a page of rows in the order of the fields', async () => {
    await five()
    const listing = await right(list({ fields: 'urlname-title', order: 'title', rpp: '2' }))
    expect(listing).to.deep.include({
      items: [
        ['a', 'a'],
        ['b', 'b'],
      ],
      page: 1,
      previous: null,
      included: null,
      counted: null,
    })
    expect(listing.next?.page).to.equal(2)
  })

  /** The text of the place in a link. */
  const textOf = (link: PageLink | null): string => {
    if (link === null || link.after === null) throw new Error('there is no link with a place')
    return placeText(link.page, link.after)
  }

  it('reads the page of a link from where it starts, and skips documents for a page without one', async () => {
    await five()
    const walked: unknown[] = []
    queries.length = 0
    const parameters = { fields: 'urlname', order: 'title.desc', rpp: '2' }
    for (let link: PageLink | null = { page: 1, after: null }; link !== null;) {
      const { page, after }: PageLink = link
      const start = after === null ? {} : { after: placeText(page, after) }
      const listing: Listing = await right(list({ ...parameters, page: String(page), ...start }))
      walked.push(...listing.items.flat())
      link = listing.next
    }
    expect(walked).to.deep.equal(['e', 'd', 'c', 'b', 'a'])
    expect(queries.map(({ skip, after }) => [skip, after !== undefined])).to.deep.equal([
      [0, false],
      [0, true],
      [0, true],
    ])
    await right(list({ ...parameters, page: '3' }))
    expect(queries.at(-1)).to.include({ skip: 4 }).and.not.to.have.property('after')
  })

  it('has the objects of a period of creation in its order, unless another is requested', async () => {
    for (const [name, day] of [
      ['c', '03'],
      ['a', '01'],
      ['d', '31'],
      ['b', '02'],
    ] as const)
      await stage.create(content, article(name, { title: name, created: `2024-01-${day} 12:00:00` }))
    const names = async (parameters: Parameters): Promise<unknown> =>
      (await right(list({ fields: 'urlname', rpp: '2', ...parameters }))).items.flat()
    const created = '2024-01-01_2024-01-31'
    expect(await names({ created })).to.deep.equal(['a', 'b'])
    const { next } = await right(list({ created, rpp: '2' }))
    expect(await names({ created, page: '2', after: textOf(next) })).to.deep.equal(['c'])
    expect(await names({ created, order: 'title.desc' })).to.deep.equal(['c', 'b'])
    expect(await names({})).to.deep.equal(['c', 'a'])
  })

  it('reads the page of a place without its number, and the page of another number by counting', async () => {
    await five()
    const titles = async (parameters: Parameters) => {
      const listing = await right(list({ fields: 'urlname', order: 'title', rpp: '2', ...parameters }))
      return [...listing.items.flat(), listing.page]
    }
    const after = textOf((await right(list({ order: 'title', rpp: '2' }))).next)
    expect(await titles({ after })).to.deep.equal(['c', 'd', 2])
    expect(await titles({ after, page: '3' })).to.deep.equal(['e', 3])
    expect(await titles({ after, page: '1' })).to.deep.equal(['a', 'b', 1])
  })

  it('rejects the start of a page of another list', async () => {
    await five()
    const { next } = await right(list({ order: 'title', rpp: '2' }))
    const after = textOf(next)
    expect(await faultsOf(list({ rpp: '2', page: '2', after }))).to.have.keys(['after'])
    expect(await faultsOf(list({ after: placeText(2, [['a', 'b'], null]) }))).to.have.keys(['after'])
    for (const wrong of ['', 'x', '{}', '[]', '7', '['.repeat(20_000)])
      expect(await faultsOf(list({ page: '2', after: wrong })), wrong.slice(0, 9)).to.have.keys(['after'])
  })

  it('a page past the end is empty', async () => {
    await five()
    expect(await right(list({ page: '9' }))).to.deep.equal({
      items: [],
      page: 9,
      next: null,
      previous: { page: 8, after: null },
      included: null,
      counted: null,
    })
  })

  // docs/behaviour/collections.md#page-bytes
  it('is rejected if its rows exceed the size limit of a page, with advice', async () => {
    const print_description = '漢'.repeat(100_000)
    for (let number = 0; number < 20; number += 1)
      await stage.create(content, article(`long-${number}`, { print_description }))
    const wanted = { fields: 'print_description', rpp: '100' }
    queries.length = 0
    expect(await faultsOf(list(wanted))).to.have.keys(['rpp', 'fields'])
    // Each has 600 000 bytes as it is sent; most are not even read.
    expect(queries.length * 11).to.be.below(100)
    expect((await right(list({ ...wanted, rpp: '10' }))).items).to.have.lengthOf(10)
    const repeated = Array(40).fill('print_description').join('-')
    expect(await faultsOf(list({ fields: repeated, rpp: '1' }))).to.have.keys(['rpp', 'fields'])
    expect((await right(list({ fields: 'urlname-url-urlname', rpp: '1' }))).items[0]).to.have.lengthOf(3)
  })

  it('shows each role the objects that it may see', async () => {
    await five()
    expect((await right(list({ rpp: '100' }, 'public_user'))).items).to.have.lengthOf(4)
    expect((await right(list({ rpp: '100' }, 'reader'))).items).to.have.lengthOf(5)
  })

  it('reads references of a whole page with one look-up per collection, and heavy attributes only if requested', async () => {
    const here = await stage.create(section, aSection('s'))
    for (const name of ['a', 'b', 'c'])
      await stage.create(content, article(name, { section_uuid: here, print_description: 'Text' }))
    const paths = (await right(list({ fields: 'perma_url_path', order: 'title' }))).items.flat()
    expect(paths).to.deep.equal(['/s/a/', '/s/b/', '/s/c/'])
    expect(queries.at(-1)).to.include({ detail: 'light' })
    const bodies = (await right(list({ fields: 'print_description' }))).items.flat()
    expect(bodies).to.deep.equal(['Text', 'Text', 'Text'])
    expect(queries.at(-1)).to.include({ detail: 'full' })
  })

  it('reports every invalid parameter', async () => {
    const wrong = { fields: 'nonsense', order: 'nonsense', page: '0', rpp: '101', state: 'x' }
    expect(await faultsOf(list(wrong))).to.have.keys(Object.keys(wrong))
  })

  it('fails if its store fails', async () => {
    documents.fail('find', 'content')
    expect(await left(list({}))).to.deep.equal(unavailable)
  })

  it('lists the collections that a role may read', async () => {
    const rows = (role: Role, parameters: Parameters): Outcome<Listing> =>
      stage.run(listCollections, stage.as(role), { parameters })
    const { items } = await right(rows('public_user', { fields: 'name' }))
    const all = [...resources.map(segmentsOf), 'events']
    expect(items.flat()).to.have.members(all)
    const toReader = await right(rows('reader', { fields: 'name' }))
    expect(toReader.items.flat()).to.have.members(all)
    const second = await right(rows('public_user', { fields: 'name-url', rpp: '2', page: '2' }))
    expect(second.page).to.equal(2)
    expect(second.next !== null).to.equal(items.length > 4)
    expect(await faultsOf(rows('public_user', { fields: 'x' }))).to.have.keys(['fields'])
  })
})
