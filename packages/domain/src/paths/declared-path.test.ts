/** A resource that declares a path has all that paths need, and nothing of it without one. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { stored } from '../resource/attribute.js'
import { defineResource } from '../resource/resource.js'
import { withComputed } from '../resource/with-computed.js'
import { reference } from '../value/reference.js'
import { text, urlname } from '../value/text.js'

const attributes = {
  title: stored(text({ max: 10 }), 'Title.'),
  urlname: stored(urlname, 'Name in public paths.', { required: true }),
  section_uuid: stored(reference('sections'), 'Section.'),
} as const

const declared = {
  name: 'place name',
  collection: 'place_names',
  description: 'Names of places.',
  attributes,
  orders: {},
  filters: {},
  indexes: [],
} as const

describe('a declared path', () => {
  it('adds what the history of paths stores, and finds objects by', () => {
    const resource = defineResource({ ...declared, path: { prefix: '/names/' } })
    expect(resource.attributes).to.include.all.keys('path', 'path_history', 'old_paths', 'hidden_paths')
    expect(resource.indexes).to.deep.equal([['past_paths']])
    expect(withComputed(resource, { old_paths: ['/Names/Old/'] })).to.deep.include({
      past_paths: ['/names/old/'],
    })
    expect(defineResource(declared).indexes).to.deep.equal([])
    expect(defineResource(declared).uniqueText({ urlname: 'a' })).to.equal(null)
  })

  it('makes urlnames unique behind the prefix, or in the section, unless the resource says otherwise', () => {
    const behindPrefix = defineResource({ ...declared, path: { prefix: '/names/' } })
    const state = { title: null, urlname: 'a', section_uuid: 's' }
    expect(behindPrefix.uniqueText(state)).to.equal('place name/a')
    expect(behindPrefix.unique?.(state)?.message).to.equal('urlname must be unique for place names')
    const inSection = defineResource({ ...declared, path: { prefix: '/', section: 'section_uuid' } })
    expect(inSection.uniqueText(state)).to.equal('section:s/a')
    expect(inSection.uniqueText({ ...state, section_uuid: null })).to.equal('section:root/a')
    expect(inSection.unique?.(state)?.message).to.equal('urlname not unique within section')
    const unique = () => ({ scope: 'own', message: 'is taken' })
    expect(defineResource({ ...declared, path: { prefix: '/names/' }, unique }).uniqueText(state)).to.equal(
      'own/a',
    )
  })

  it('is of attributes that the resource stores', () => {
    const { urlname: _urlname, ...others } = attributes
    // @ts-expect-error -- it has no urlname
    defineResource({ ...declared, attributes: others, path: { prefix: '/names/' } })
    // @ts-expect-error -- it has no such reference
    defineResource({ ...declared, path: { prefix: '/', section: 'parent_uuid' } })
    expect(defineResource({ ...declared, path: { prefix: '/' } }).path).to.deep.equal({ prefix: '/' })
  })
})
