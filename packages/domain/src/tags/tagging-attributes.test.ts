/** Which predicate applies to which kind of object, cell by cell (docs/behaviour/tags.md#predicates). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { contentTypes } from '../content/content-type.js'
import { resourceOf } from '../resource/resources.js'
import {
  collectionsAccepting,
  isPredicate,
  predicateNames,
  taggableCollections,
  acceptsPredicate,
} from './tag.js'

const reviews = ['review_album', 'review_book', 'review_product', 'review_movie']
const all = [...contentTypes, 'locations', 'files', 'blogs']

const table: Readonly<Record<string, readonly string[]>> = {
  describes: all,
  authored: contentTypes,
  edited: contentTypes,
  is_brand_of_reviewed: reviews,
  type_of_reviewed: reviews,
  created_reviewed: ['review_album', 'review_book', 'review_movie'],
  illustrated_reviewed: ['review_book'],
  translated_reviewed: ['review_book'],
  photographed: ['files'],
  illustrated: ['files'],
}

describe('predicates', () => {
  it('are the expected ones', () => {
    expect(predicateNames).to.deep.equal(Object.keys(table))
    for (const name of predicateNames) expect(isPredicate(name)).to.equal(true)
    for (const name of ['', 'Describes', 'toString', 'constructor', '__proto__'])
      expect(isPredicate(name), name).to.equal(false)
  })

  for (const predicate of predicateNames)
    it(`${predicate} is accepted by ${table[predicate]?.join(', ')}`, () => {
      const taken = all.filter((kind) => {
        const collection = taggableCollections.find((each) => each === kind) ?? 'content'
        return acceptsPredicate(predicate, collection, collection === 'content' ? { content_type: kind } : {})
      })
      expect(taken).to.deep.equal(all.filter((kind) => table[predicate]?.includes(kind)))
      const collections = taken.map((kind) => taggableCollections.find((each) => each === kind) ?? 'content')
      expect(collectionsAccepting(predicate)).to.have.members([...new Set(collections)])
    })

  it('are not accepted by content of unknown type', () => {
    for (const predicate of predicateNames)
      for (const content_type of [null, 'video', 'files'])
        expect(acceptsPredicate(predicate, 'content', { content_type })).to.equal(false)
  })

  it('are accepted only by objects that store taggings', () => {
    for (const collection of [...taggableCollections, 'sections', 'tags', 'tag_categories', 'homepage'])
      expect(resourceOf(collection)?.attributes['taggings'] !== undefined, collection).to.equal(
        taggableCollections.some((each) => each === collection),
      )
  })
})
