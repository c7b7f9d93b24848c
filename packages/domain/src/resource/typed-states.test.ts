/** The types of states: which attributes each variant has, and what a rule may read. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  content,
  type Article,
  type BookReview,
  type Content,
  type ContentRoundup,
  type Event,
  type LocationReview,
} from '../content/content.js'
import { file, type File } from '../files/file.js'
import { storedState } from '../testing/index.js'
import type { Tagging } from '../tags/tag.js'
import { boolean } from '../value/scalar.js'
import { text } from '../value/text.js'
import { computed, derived, stored } from './attribute.js'
import { defineResource } from './resource.js'
import { partOf, stateIn } from './attribute-tables.js'

type Has<S, K extends string> = K extends keyof S ? true : false
type Equal<A, B> = [A, B] extends [B, A] ? true : false

const table = {
  title: stored(text({ max: 10 }), 'Title.', { required: true }),
  open: stored(boolean, 'Open.', { initial: true }),
  length: computed(
    'number',
    'Length.',
    ['title'],
    ({ title }: { readonly title: string | null }) => title?.length ?? 0,
  ),
} as const

describe('the type of a state', () => {
  it('has the attributes of its variant', () => {
    const has: readonly [true, false, true, false, true, true, false] = [
      true satisfies Has<Event, 'dtstart'>,
      false satisfies Has<Article, 'dtstart'>,
      true satisfies Has<BookReview, 'book_buy_urls'>,
      false satisfies Has<BookReview, 'movie_title'>,
      true satisfies Has<LocationReview, 'rating'>,
      true satisfies Has<ContentRoundup, 'roundup_numbering'>,
      false satisfies Has<ContentRoundup, 'roundup_location_tour_type'>,
    ]
    expect(has).to.have.lengthOf(7)
    const variant: Event['content_type'] = 'event'
    expect(variant).to.equal('event')
  })

  it('has the values of its attributes, null unless they are required', () => {
    const equal: readonly true[] = [
      true satisfies Equal<Content['title'], string>,
      true satisfies Equal<Content['evergreen'], boolean | null>,
      true satisfies Equal<Tagging['tag'], string>,
    ]
    expect(equal).to.have.lengthOf(3)
  })

  it('is that of the table also if the state lacks attributes or has others', () => {
    expect(partOf(table, { other: 1 })).to.deep.equal({ title: null, open: true })
    expect(partOf(table, { title: 'One', open: false })).to.deep.equal({ title: 'One', open: false })
    expect(partOf(table, undefined)).to.deep.equal({ title: null, open: true })
  })
})

describe('the state of content', () => {
  const input = { content_type: 'event', title: 'Market', urlname: 'market', dtstart: '2026-05-01T08:00' }
  const read = stateIn(content, storedState(content, input))

  it('has the attributes of its type once that is known', () => {
    if (read.content_type !== 'event') return expect.fail('is no event')
    const equal: readonly [true, true] = [
      true satisfies Equal<typeof read, Event>,
      true satisfies Equal<(typeof read)['dtstart'], string>,
    ]
    expect(equal).to.have.lengthOf(2)
    expect(read.dtstart).to.equal('2026-05-01T08:00:00')
    expect(read.dtend).to.equal(null)
    // @ts-expect-error events have no rating
    expect(read.rating).to.equal(undefined)
  })
})

describe('the state of a resource', () => {
  it('has the names and types of the resource’s own table', () => {
    const found = stateIn(file, { title: 'One', byte_size: 2, other: 3 })
    const equal: readonly [true, true] = [
      true satisfies Equal<typeof found, File>,
      true satisfies Equal<(typeof found)['byte_size'], number | null>,
    ]
    expect(equal).to.have.lengthOf(2)
    expect([found.title, found.byte_size, found.blob]).to.deep.equal(['One', 2, null])
    // @ts-expect-error the table does not store `note`
    expect(found.note).to.equal(undefined)
  })
})

describe('a resource', () => {
  const rest = {
    name: 'thing',
    collection: 'files',
    description: 'Things.',
    filters: {},
    indexes: [],
  } as const

  it('has a name of words, and a collection that can be a part of an address', () => {
    const named =
      (name: string, collection = 'things') =>
      () =>
        defineResource({ ...rest, name, collection, attributes: table, orders: {}, unique: () => null })
    for (const name of ['author_profile', 'Ümlaut!', 'Thing', ' thing', ''])
      expect(named(name), name).to.throw(/a name/)
    for (const collection of ['some things', 'Things', 'a/b', ''])
      expect(named('thing', collection), collection).to.throw(/a name/)
    expect(named('tag category', 'tag_categories')().name).to.equal('tag category')
  })

  it('compiles only with attributes that read what its table stores', () => {
    const attributes = {
      ...table,
      loud: derived({ type: 'string' }, 'Louder.', ({ note }: { readonly note: string | null }) => note),
    }
    // @ts-expect-error the table does not store `note`
    expect(defineResource({ ...rest, attributes, orders: {}, unique: () => null }).name).to.equal('thing')
  })

  it('compiles only with names made from what its table stores', () => {
    const madeFrom = ({ note }: { readonly note: string | null }) => note ?? ''
    const attributes = { ...table, urlname: stored(text({ max: 10 }), 'Name.', { madeFrom }) }
    // @ts-expect-error the table does not store `note`
    expect(defineResource({ ...rest, attributes, orders: {}, unique: () => null }).name).to.equal('thing')
  })

  it('compiles only with orders by keys that its table stores', () => {
    // @ts-expect-error the table does not store `note`
    const thing = defineResource({ ...rest, attributes: table, orders: { note: 'note' }, unique: () => null })
    expect(thing.orders).to.deep.equal({ note: 'note' })
  })
})
