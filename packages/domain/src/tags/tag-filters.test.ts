import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { file } from '../files/file.js'
import { E } from '../fp.js'
import { matchesFilter } from '../resource/filter.js'
import { parseCollectionQuery } from '../resource/collection-query.js'
import type { Parameters } from '../resource/collection-filter.js'
import type { Resource } from '../resource/resource.js'
import { messages, viewer } from '../testing/index.js'
import { tagsNamedIn, withExistingTags } from './tag-filters.js'
import { taggingAttributes } from './tag.js'

const [jazz, brass, poetry] = [1, 2, 3].map((n) => `0000000${n}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
]

const taggings = [
  { tag: jazz, predicate: 'describes', created: '2026-01-01T00:00:00' },
  { tag: brass, predicate: 'authored', created: '2026-01-01T00:00:00' },
]
const article = {
  tagged: taggingAttributes.tagged.compute({ taggings }),
  tagged_as: taggingAttributes.tagged_as.compute({ taggings }),
}

const parse = (parameters: Parameters, resource: Resource = content) =>
  parseCollectionQuery(resource, parameters, viewer('editor'), true)

const matches = (parameters: Parameters, exists: (tag: string) => boolean = () => true): boolean => {
  const query = parse(parameters)
  if (E.isLeft(query)) throw new Error(JSON.stringify(query.left))
  return withExistingTags(query.right.where, exists).every((each) => matchesFilter(each, article))
}

describe('tag filters', () => {
  it('match objects with all tags of `tags`', () => {
    expect(matches({ tags: jazz })).to.equal(true)
    expect(matches({ tags: `${jazz}_${brass.toUpperCase()}` })).to.equal(true)
    expect(matches({ tags: `${jazz}_${poetry}` })).to.equal(false)
  })

  it('match objects with one of the tags of `tags_any`', () => {
    expect(matches({ tags_any: `${poetry}_${brass}` })).to.equal(true)
    expect(matches({ tags_any: poetry })).to.equal(false)
    expect(matches({ tags: jazz, tags_any: `${poetry}_${brass}` })).to.equal(true)
    expect(matches({ tags: poetry, tags_any: `${poetry}_${brass}` })).to.equal(false)
  })

  it('count tags only with the predicate', () => {
    expect(matches({ tags: brass, predicate: 'authored' })).to.equal(true)
    expect(matches({ tags: brass, predicate: 'describes' })).to.equal(false)
    expect(matches({ tags_any: `${jazz}_${brass}`, predicate: 'describes' })).to.equal(true)
    expect(matches({ tags: `${jazz}_${brass}`, predicate: 'describes' })).to.equal(false)
  })

  it('do not match deleted tags', () => {
    const exists = (tag: string) => tag !== jazz
    expect(matches({ tags: jazz }, exists)).to.equal(false)
    expect(matches({ tags: jazz, predicate: 'describes' }, exists)).to.equal(false)
    expect(matches({ tags_any: jazz }, exists)).to.equal(false)
    expect(matches({ tags_any: `${jazz}_${brass}` }, exists)).to.equal(true)
  })

  it('name their tags', () => {
    const query = parse({ tags: jazz, tags_any: `${brass}_${poetry}`, predicate: 'edited', state: 'live' })
    expect(E.isRight(query) && tagsNamedIn(query.right.where).map(({ id }) => id)).to.deep.equal([
      jazz,
      brass,
      poetry,
    ])
  })

  it('have faults for wrong values', () => {
    for (const [parameters, resource, ...names] of [
      [{ tags: 'x' }, content, 'tags'],
      [{ tags: `${jazz}_` }, content, 'tags'],
      [{ tags_any: '' }, content, 'tags_any'],
      [{ predicate: 'describes' }, content, 'predicate'],
      [{ tags: jazz, predicate: 'likes' }, content, 'predicate'],
      [{ tags: jazz, predicate: 'photographed' }, content, 'predicate'],
      [{ tags: jazz, predicate: 'authored' }, file, 'predicate'],
      [{ tags: 'x', predicate: 'likes' }, content, 'tags', 'predicate'],
      [{ tags: Array.from({ length: 101 }, () => jazz).join('_') }, content, 'tags'],
    ] as const) {
      const query = parse(parameters, resource)
      expect(
        Object.keys(messages(E.isLeft(query) ? query.left : [])),
        JSON.stringify(parameters),
      ).to.have.members(names)
    }
  })
})
