/** Lists of stories off the wire: manual ones with their items, automatic ones without (docs/behaviour/homepage.md). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { JsonObject } from '../json.js'
import { viewOf } from '../resource/read-plan.js'
import { links, now, valueContext, withAddon } from '../testing/index.js'
import {
  homepage,
  firstHomepage,
  storiesOf,
  draftStories,
  noStories,
  story,
  storyList,
  storyOf,
} from './homepage.js'

const article = 'aaaaaaaa-0000-4000-8000-000000000001'
const picture = 'bbbbbbbb-0000-4000-8000-000000000001'
const wine = 'cccccccc-0000-4000-8000-000000000001'

const draft = (input: JsonObject) => draftStories(input, valueContext)
const pathsOf = (input: JsonObject, strict = false): readonly string[] =>
  draftStories(input, { ...valueContext, strict }).faults.map(({ path }) => path)

describe('a manual list of stories', () => {
  it('has items that lead to content or to an address', () => {
    const { stories, references, faults } = draft({
      items: [
        { type: 'content', link_uuid: article.toUpperCase(), title: 'Lead' },
        { type: 'link', link_url: 'https://example.org/', image_uuid: picture },
      ],
    })
    expect(faults).to.deep.equal([])
    expect(stories).to.deep.equal({
      ...noStories,
      items: [
        { type: 'content', link_uuid: article, title: 'Lead', description: null, image_uuid: null },
        {
          type: 'link',
          link_url: 'https://example.org/',
          title: null,
          description: null,
          image_uuid: picture,
        },
      ],
    })
    expect(references).to.deep.equal([
      { path: 'items.0.link_uuid', collection: 'content', id: article },
      { path: 'items.1.image_uuid', collection: 'files', id: picture, media: 'image' },
    ])
  })

  it('may be empty, but not missing', () => {
    expect(draft({ items: [] })).to.deep.equal({ stories: noStories, references: [], faults: [] })
    for (const input of [{}, { auto: false }, { items: null }, { items: {} }, { auto: null }])
      expect(pathsOf(input), JSON.stringify(input)).to.deep.equal(['items'])
  })

  it('reports each fault at its item', () => {
    expect(
      pathsOf({
        items: [
          { type: 'content' },
          { type: 'link' },
          {},
          'x',
          { type: 'video', link_uuid: article },
          { type: 'link', link_url: 'javascript:alert(1)' },
          { type: 'content', link_uuid: 'x' },
        ],
      }),
    ).to.deep.equal([
      'items.0.link_uuid',
      'items.1.link_url',
      'items.2.type',
      'items.3',
      'items.4.type',
      'items.5.link_url',
      'items.6.link_uuid',
    ])
    expect(
      pathsOf({ items: Array.from({ length: 101 }, () => ({ type: 'content', link_uuid: article })) }),
    ).to.deep.equal(['items'])
  })

  it('keeps the parameters of automatic stories', () => {
    expect(draft({ items: [], auto_max: 3, auto_tag_uuids: [wine] }).stories).to.deep.equal({
      auto: false,
      auto_max: 3,
      auto_tag_uuids: [wine],
      items: [],
    })
  })
})

describe('an automatic list of stories', () => {
  it('has defaults, and needs no items', () => {
    expect(draft({ auto: true })).to.deep.equal({
      stories: { ...noStories, auto: true },
      references: [],
      faults: [],
    })
  })

  it('ignores the items that are sent', () => {
    for (const items of [[], [{ type: 'content', link_uuid: article }], 'x', [{}], null])
      expect(draft({ auto: true, items })).to.deep.include({ faults: [], references: [] })
    expect(
      draft({ auto: true, items: [{ type: 'content', link_uuid: article }] }).stories.items,
    ).to.deep.equal([])
  })

  it('has tags and a maximum number of stories', () => {
    expect(draft({ auto: true, auto_max: 100, auto_tag_uuids: [wine] }).references).to.deep.equal([
      { path: 'auto_tag_uuids.0', collection: 'tags', id: wine },
    ])
    expect(pathsOf({ auto: 'yes', auto_max: -1, auto_tag_uuids: ['x'], items: [] })).to.have.members([
      'auto',
      'auto_max',
      'auto_tag_uuids.0',
    ])
    expect(pathsOf({ auto: true, auto_max: 0 })).to.deep.equal([])
    expect(pathsOf({ auto: true, auto_max: 101 })).to.deep.equal(['auto_max'])
  })

  it('rejects other attributes with strict handling', () => {
    expect(pathsOf({ auto: true, unknown: 1 }, true)).to.deep.equal(['unknown'])
    expect(pathsOf({ auto: false, items: [], unknown: 1 }, true)).to.deep.equal(['unknown'])
    expect(pathsOf({ items: [{ type: 'content', link_uuid: article, url: 'x' }] }, true)).to.deep.equal([
      'items.0.url',
    ])
  })
})

describe('stories', () => {
  const view = {
    id: '',
    role: 'editor',
    now,
    settings: withAddon,
    links,
    canScale: () => true,
    find: () => ({ mimetype: 'image/png', upload: 7 }),
    count: () => 0,
  } as const

  it('do not change when they are sent back as they were read', () => {
    for (const input of [
      { auto: true, auto_max: 7, auto_tag_uuids: [wine] },
      {
        items: [
          { type: 'content', link_uuid: article, image_uuid: picture },
          { type: 'link', link_url: 'https://example.org', title: 'x', description: 'y' },
        ],
      },
    ]) {
      const { stories } = draft(input)
      const shown = {
        ...viewOf(storyList, stories, view),
        items: stories.items.map((item) => viewOf(story, item, view)),
      }
      for (const strict of [false, true]) {
        const again = draftStories(shown, { ...valueContext, strict })
        expect(again.faults).to.deep.equal([])
        expect(again.stories).to.deep.equal(stories)
      }
    }
  })

  it('that were chosen automatically have the same form', () => {
    expect(storyOf(article, { title: 'T', description: null, teaser_image_uuid: picture })).to.deep.equal({
      type: 'content',
      link_uuid: article,
      title: 'T',
      description: null,
      image_uuid: picture,
    })
  })

  it('are empty on a new homepage, also of each weekday', () => {
    for (const { initial } of [firstHomepage, ...Object.values(homepage.given?.words ?? {})])
      for (const list of ['headline_stories', 'featured_stories'] as const)
        expect(storiesOf(initial, list)).to.deep.equal(noStories)
    expect(storiesOf({}, 'headline_stories')).to.deep.equal(noStories)
    expect(Object.keys(homepage.given?.words ?? {})).to.deep.equal([
      'mon',
      'tue',
      'wed',
      'thu',
      'fri',
      'sat',
      'sun',
    ])
  })
})
