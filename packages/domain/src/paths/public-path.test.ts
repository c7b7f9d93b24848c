/** The public path of an object: the urlnames of its sections and its own. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { contentPath } from '../content/attributes/common-attributes.js'
import { maxSectionDepth, publicPath } from './public-path.js'

const sections: Readonly<Record<string, JsonObject>> = {
  food: { urlname: 'food', parent_uuid: null },
  wine: { urlname: 'wine', parent_uuid: 'food' },
  loop: { urlname: 'loop', parent_uuid: 'loop' },
  lost: { urlname: 'lost', parent_uuid: 'gone' },
}

const find = (collection: string, id: string) => (collection === 'sections' ? sections[id] : undefined)

describe('publicPath', () => {
  it('contains the urlnames of the sections', () => {
    expect(publicPath(contentPath, { urlname: 'a', section_uuid: 'wine' }, find)).to.equal('/food/wine/a/')
    expect(publicPath(contentPath, { urlname: 'a', section_uuid: null }, find)).to.equal('/a/')
    expect(
      publicPath({ prefix: '/', section: 'parent_uuid' }, { urlname: 'wine', parent_uuid: 'food' }, find),
    ).to.equal('/food/wine/')
  })

  it('stops at a deleted section, and terminates for every tree', () => {
    expect(publicPath(contentPath, { urlname: 'a', section_uuid: 'gone' }, find)).to.equal('/a/')
    expect(publicPath(contentPath, { urlname: 'a', section_uuid: 'lost' }, find)).to.equal('/lost/a/')
    expect(publicPath(contentPath, { urlname: 'a', section_uuid: 'loop' }, find)).to.equal(
      `${'/loop'.repeat(maxSectionDepth)}/a/`,
    )
  })
})
