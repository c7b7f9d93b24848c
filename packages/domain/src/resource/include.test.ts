import { expect } from 'chai'
import { describe, it } from 'mocha'
import { comment } from '../comments/comment.js'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { location } from '../locations/location.js'
import { section } from '../sections/section.js'
import { redirect } from '../redirects/redirect.js'
import { viewer, withAddon } from '../testing/index.js'
import {
  hasRelations,
  includedReferences,
  includeLimits,
  includeNamesOf,
  parseIncludePaths,
  type IncludePath,
} from './include.js'

const parse = (include: string | readonly string[]): unknown => {
  const parsed = parseIncludePaths(content, { include })
  return E.isRight(parsed)
    ? parsed.right.map(({ names, fields }) => (fields === null ? names : [names, fields]))
    : parsed.left.map(({ path }) => path)
}

/** The message about an `include`. */
const messageOf = (include: string): string => {
  const parsed = parseIncludePaths(content, { include })
  return E.isRight(parsed) ? '' : String(parsed.left[0]?.message)
}

const pathOf = (first: string, ...further: readonly string[]): IncludePath => ({
  names: [first, ...further],
  fields: null,
})

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

  it('returns the attributes in brackets', () => {
    expect(parse('section(title,path),section.parent(title-uuid-title)-tags')).to.deep.equal([
      [['section'], ['title', 'path']],
      [
        ['section', 'parent'],
        ['title', 'uuid'],
      ],
      ['tags'],
    ])
  })

  it('says what is wrong with names, depth, attributes and brackets', () => {
    expect(messageOf('author,x,section')).to.match(/^unknown names «author», «x»; the names are section/)
    expect(messageOf('section.parent.parent')).to.match(
      /«section.parent.parent» continues further than 2 names/,
    )
    expect(messageOf('section(titel,content)')).to.match(
      /^unknown names «titel», «content» in the brackets of section; the attributes are .*title/,
    )
    for (const unbalanced of ['section(title', 'section)', 'section(a(b))', 'section(title,tags', ')('])
      expect(messageOf(unbalanced), unbalanced).to.match(/brackets/)
    expect(messageOf('section(title)tags')).to.match(/goes on after its brackets/)
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
      'section()',
      'section(url,)',
      'section(__proto__)',
      'tags(taggings)',
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
      ({ reference: { collection, id }, further }) => `${collection}/${id}${further?.names.join('.') ?? ''}`,
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
      targets(content, state, [
        pathOf('section', 'parent'),
        ...['teaser_image', 'tags', 'location'].map((each) => pathOf(each)),
      ]),
    ).to.deep.equal(['sections/sparent', 'tags/t', 'tags/u'])
  })

  it('lead to the collection of the variant', () => {
    expect(targets(comment, { parent_type: 'comment', parent_uuid: 'c' }, [pathOf('parent')])).to.deep.equal([
      'comments/c',
    ])
    expect(targets(comment, { parent_type: 'content', parent_uuid: 'c' }, [pathOf('parent')])).to.deep.equal([
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
    const paths = [pathOf('coupon_img'), pathOf('thumb')]
    expect(targets(location, listing, paths)).to.deep.equal(['files/f', 'files/g'])
    expect(targets(location, listing, paths, viewer('public_user', { settings: withAddon }))).to.deep.equal([
      'files/g',
    ])
  })
})
