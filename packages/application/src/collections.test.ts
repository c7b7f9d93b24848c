import { expect } from 'chai'
import { describe, it } from 'mocha'
import { resources } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { utf8Length } from '@publishing-service/domain/json'
import { maxKeyTextBytes } from '@publishing-service/ports'
import { collections } from './collections.js'

describe('the collections', () => {
  it('are those of the resources and the service’s own, each once', () => {
    const names = collections.map(({ name }) => name)
    expect(new Set(names).size).to.equal(names.length)
    expect(names).to.include.members(resources.map(({ collection }) => collection))
  })

  it('have keys of intervals for the occurrences of events', () => {
    const intervals = collections.flatMap(({ name, keys }) =>
      Object.entries(keys).flatMap(([key, type]) => (type === 'intervals' ? [`${name}.${key}`] : [])),
    )
    expect(intervals).to.have.members(['content.occurrences', 'content.long_occurrences'])
  })

  it('have an index for each order of a subcollection that is not an order of the whole collection', () => {
    const content = collections.find(({ name }) => name === 'content')
    for (const key of ['dtstart', 'sort_title_order']) {
      expect(content?.keys).to.have.property(key)
      expect(content?.indexes).to.deep.include(['content_type', key])
    }
  })

  it('name only keys that they have', () => {
    for (const { name, keys, indexes, groupCounts } of collections)
      for (const key of [
        ...indexes.flat(),
        ...groupCounts.flatMap((groupCount) => [groupCount.key, ...groupCount.within]),
      ])
        expect(keys, name).to.have.property(key)
  })

  it('have key texts that every store accepts, with any characters', () => {
    const context = { zone: 'UTC', streamingHosts: [], strict: false }
    const accepted = resources.flatMap(({ collection, attributes }) => {
      const keys = collections.find(({ name }) => name === collection)?.keys ?? {}
      return Object.keys(keys).flatMap((key) => {
        const attribute = attributes[key]
        // What the service sets itself is no text of a client.
        if (attribute?.kind !== 'stored' || attribute.internal === true) return []
        const { maxLength = 0 } = attribute.type.schema
        return ['a', 'ü', '漢', '𝄞'].flatMap((character) =>
          ['', '/'].flatMap((first) => {
            const text = `${first}${character.repeat(Math.max(0, maxLength - first.length))}`
            return maxLength > 0 && E.isRight(attribute.type.decode(text, context)) ? utf8Length(text) : []
          }),
        )
      })
    })
    expect(Math.max(...accepted)).to.be.within(1000, maxKeyTextBytes)
  })
})
