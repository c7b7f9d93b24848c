import { expect } from 'chai'
import { describe, it } from 'mocha'
import { comment } from '../comment/comment.js'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { location } from '../location/location.js'
import { section } from '../section/section.js'
import { redirect } from '../redirect/redirect.js'
import { viewer, withAddon } from '../testing/index.js'
import {
  hasRelations,
  includedReferences,
  includeLimits,
  includeNamesOf,
  parseIncludePaths,
} from './include.js'

const parse = (include: string | readonly string[]): unknown => {
  const parsed = parseIncludePaths(content, include)
  return E.isRight(parsed) ? parsed.right : parsed.left.map(({ path }) => path)
}

describe('the names of include', () => {
  it('are those of reference attributes without _uuid, and tags', () => {
    const names = includeNamesOf(content)
    expect(names).to.include.members(['section', 'blog', 'teaser_image', 'location', 'tags'])
    expect(names).not.to.include('section_uuid')
    expect(names).not.to.include('taggings')
    expect(includeNamesOf(section)).to.include.members(['parent', 'feature_image', 'content'])
    expect(includeNamesOf(comment)).to.include.members(['parent', 'content'])
  })

  it('continue from each target by one further name', () => {
    expect(includeNamesOf(content)).to.include.members([
      'section.parent',
      'location.thumb',
      'teaser_image.tags',
    ])
    expect(includeNamesOf(content).filter((name) => name.split('.').length > 2)).to.deep.equal([])
    // A comment answers content or a comment.
    expect(includeNamesOf(comment)).to.include.members(['parent.section', 'parent.parent'])
  })

  it('exist only where objects refer to others', () => {
    expect([content, section, comment, location, redirect].map(hasRelations)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('parseIncludePaths', () => {
  it('returns the paths, each once, separated by commas or hyphens', () => {
    expect(parse('section,tags')).to.deep.equal([['section'], ['tags']])
    expect(parse('section.parent-tags-tags')).to.deep.equal([['section', 'parent'], ['tags']])
  })

  it('rejects unknown names, three levels, repetition and too many names', () => {
    for (const wrong of [
      '',
      'section_uuid',
      'Section',
      'section.',
      '.section',
      'section.parent.parent',
      'section,,tags',
      'taggings',
      '__proto__',
      'constructor',
    ])
      expect(parse(wrong), wrong).to.deep.equal(['include'])
    expect(parse(['section', 'tags'])).to.deep.equal(['include'])
    const many = includeNamesOf(content).slice(0, includeLimits.names + 1)
    expect(parse(many.join())).to.deep.equal(['include'])
    expect(parse(many.slice(1).join())).to.have.length(includeLimits.names)
  })
})

describe('includedReferences', () => {
  const targets = (
    shape: Parameters<typeof includedReferences>[0],
    state: Parameters<typeof includedReferences>[1],
    paths: Parameters<typeof includedReferences>[3],
    reader = viewer('reader', { settings: withAddon }),
  ): readonly string[] =>
    includedReferences(shape, state, reader, paths).map(
      ({ reference: { collection, id }, further }) => `${collection}/${id}${further?.join('.') ?? ''}`,
    )

  it('lead to the objects of the first names, with the rest of the paths', () => {
    const state = {
      content_type: 'article',
      section_uuid: 's',
      teaser_image_uuid: null,
      taggings: [
        { tag: 't', predicate: 'describes', created: '2026-01-01T00:00:00' },
        { tag: 'u', predicate: 'authored', created: '2026-01-01T00:00:00' },
      ],
    }
    expect(
      targets(content, state, [['section', 'parent'], ['teaser_image'], ['tags'], ['location']]),
    ).to.deep.equal(['sections/sparent', 'tags/t', 'tags/u'])
  })

  it('lead to the collection of the variant', () => {
    expect(targets(comment, { parent_type: 'comment', parent_uuid: 'c' }, [['parent']])).to.deep.equal([
      'comments/c',
    ])
    expect(targets(comment, { parent_type: 'content', parent_uuid: 'c' }, [['parent']])).to.deep.equal([
      'content/c',
    ])
  })

  it('leave out what the viewer may not see of the object', () => {
    const listing = {
      is_listing: true,
      listing_start: '2020-01-01T00:00:00',
      listing_expires: '2020-02-01T00:00:00',
      coupon_img_uuid: 'f',
      thumb_uuid: 'g',
    }
    const paths = [['coupon_img'], ['thumb']] as const
    expect(targets(location, listing, paths)).to.deep.equal(['files/f', 'files/g'])
    expect(targets(location, listing, paths, viewer('public_user', { settings: withAddon }))).to.deep.equal([
      'files/g',
    ])
  })
})
