/** Sections: defaults, the position after the last sibling, and where names are unique (docs/behaviour/sections.md). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { viewOf } from '../resource/read-plan.js'
import { command, now, objectId, viewOn, withoutAddon, write } from '../testing/index.js'
import { section } from './section.js'

const parent = '00000000-0000-4000-8000-00000000000a'
const required = { title: 'Wine', urlname: 'wine' }
const make = (input: JsonObject = {}): JsonObject =>
  write(section, command('put', { ...required, ...input }, null)).state

const change = {
  id: objectId,
  mode: 'put' as const,
  previous: null,
  supplied: new Set<string>(),
  now,
  role: 'admin' as const,
  user: null,
  settings: withoutAddon,
}

describe('a section', () => {
  it('has its defaults', () => {
    expect(make()).to.include({
      parent_uuid: null,
      auto_featured_stories: true,
      auto_featured_stories_num: 5,
      hide_in_nav: false,
      show_prev_next: false,
      externalurl: null,
    })
  })

  it('needs a title, and a urlname unless it is created', () => {
    const faulty = (input: JsonObject, previous: JsonObject | null) =>
      write(section, command('put', input, previous)).draft.faults.map(({ path }) => path)
    expect(faulty({ title: '', urlname: null }, null)).to.deep.equal(['title'])
    expect(faulty({ title: 'Wine', urlname: null }, make())).to.deep.equal(['urlname'])
  })

  it('is after its last sibling by default', () => {
    expect(section.siblingDefault?.(make({ ord: 3 }), change)).to.equal(null)
    const neighbour = section.siblingDefault?.(make({ parent_uuid: parent }), change)
    expect(neighbour?.where).to.deep.equal([{ key: 'parent_uuid', equals: parent }])
    expect(neighbour?.order).to.deep.equal([{ key: 'ord', direction: 'desc' }])
    expect(neighbour?.apply({ ord: 7 })).to.include({ ord: 8, title: 'Wine' })
    expect(neighbour?.apply(null)).to.include({ ord: 1 })
    expect(neighbour?.apply({ ord: 2_000_000_000 })).to.include({ ord: 2_000_000_000 })
  })

  it('has a unique name below its parent', () => {
    expect(section.uniqueText(make())).to.equal('root/wine')
    expect(section.uniqueText(make({ parent_uuid: parent }))).to.equal(`${parent}/wine`)
    expect(section.unique?.(make())?.message).to.equal('urlname not unique within parent section')
  })

  it('returns its lead story while that exists', () => {
    const state = make({ content_uuid: parent })
    expect(viewOf(section, state, viewOn(section, state))).to.include({
      content_uuid: parent,
      lead_story_url: `/1/content/${parent}`,
    })
    expect(viewOf(section, state, viewOn(section, state, { isDead: () => true }))).to.include({
      content_uuid: null,
      lead_story_url: null,
    })
  })

  it('cannot be deleted while it has subsections or content', () => {
    expect(section.dependences?.map(({ collection, key }) => `${collection}.${key}`)).to.deep.equal([
      'sections.parent_uuid',
      'content.section_uuid',
    ])
  })
})
