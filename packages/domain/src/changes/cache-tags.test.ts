import { expect } from 'chai'
import { describe, it } from 'mocha'
import { resources } from '../resource/resources.js'
import { purgedTags, responseTags, type ObjectsRead } from './cache-tags.js'

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `id-${index}`)

const isPurged = (read: ObjectsRead, [collection, object]: readonly [string, string | null]): boolean => {
  const purged = new Set(purgedTags(1, collection, object))
  return responseTags(1, read).some((tag) => purged.has(tag))
}

describe('cache tags', () => {
  it('name the objects of a response, or the collection where it shows many or the result of a query', () => {
    expect(responseTags(7, new Map([['content', new Set(['a', 'b'])]]))).to.deep.equal([
      'publication-7',
      'a',
      'b',
    ])
    expect(responseTags(7, new Map([['content', new Set(ids(51))]]))).to.deep.equal([
      'publication-7',
      'publication-7-content',
    ])
  })

  it('of a change are those of the responses that show the object, and of lists that could', () => {
    const story = new Map([['content', new Set(['a'])]])
    const list = new Map([['content', 'queried' as const]])
    expect(isPurged(story, ['content', 'a'])).to.equal(true)
    expect(isPurged(story, ['content', 'b'])).to.equal(false)
    expect(isPurged(story, ['files', 'f'])).to.equal(false)
    expect(isPurged(list, ['content', 'b'])).to.equal(true)
    expect(isPurged(list, ['files', 'f'])).to.equal(false)
    expect(isPurged(new Map([['content', new Set(ids(100))]]), ['content', 'id-3'])).to.equal(true)
  })

  it('are printable ASCII without spaces and commas, whatever was read', () => {
    const paths = new Set(['/новости/старое', '/łódź', '/a,b', '/x y', '/straße'])
    const ofSystem = new Map(['places', 'drafts', 'moves'].map((name) => [name, paths] as const))
    expect(responseTags(1, ofSystem)).to.deep.equal(['publication-1'])
    expect(responseTags(1, new Map([['places', 'queried' as const]]))).to.deep.equal(['publication-1'])
    for (const { collection, given } of resources) {
      const objects = new Set(Object.values(given?.words ?? {}).map(({ id }) => id))
      for (const tag of responseTags(1, new Map([[collection, objects]])))
        expect(tag).to.match(/^[!-+\--~]+$/)
      for (const tag of purgedTags(1, collection, 'a')) expect(tag).to.match(/^[!-+\--~]+$/)
    }
  })

  it('of a section or of the settings are those of all responses', () => {
    for (const change of [
      ['sections', 's'],
      ['settings', null],
    ] as const)
      expect(isPurged(new Map(), change)).to.equal(true)
  })

  it('are no tags of another instance', () => {
    const other = new Set(purgedTags(2, 'sections', 's'))
    expect(responseTags(1, new Map([['content', 'queried']])).some((tag) => other.has(tag))).to.equal(false)
  })
})
