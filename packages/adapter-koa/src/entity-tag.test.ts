import type { JsonObject } from '@publishing-service/domain'
import { asciiJson } from '@publishing-service/http-contract'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { entityTag, isUnchanged, preconditionOf } from './entity-tag.js'

describe('an entity tag', () => {
  it('is strong and quoted, and equal for equal bytes', () => {
    expect(entityTag('abc')).to.match(/^"[\w-]{27}"$/)
    expect(entityTag(Buffer.from('abc'))).to.equal(entityTag('abc'))
    expect(entityTag('abd')).not.to.equal(entityTag('abc'))
  })
})

describe('If-None-Match of a read', () => {
  const matching: Readonly<Record<string, string>> = {
    'the tag': '"a"',
    'the weak tag': 'W/"a"',
    'the tag in a list': '"b", "a"',
    'the tag in a list without spaces': '"b","a","c"',
    'the weak tag in a list': '"b", W/"a"',
    'any tag': '*',
    'any tag, between spaces': ' * ',
  }
  for (const [name, header] of Object.entries(matching))
    it(`holds for ${name}`, () => expect(isUnchanged(header, '"a"')).to.equal(true))

  const others: Readonly<Record<string, string | undefined>> = {
    'no header': undefined,
    'an empty header': '',
    'another tag': '"b"',
    'a tag that contains it': '"ab"',
    'the tag without quotes': 'a',
    'a list with an asterisk': '"b", *',
    'a tag with the sign of compression': '"a-gzip"',
  }
  for (const [name, header] of Object.entries(others))
    it(`does not hold for ${name}`, () => expect(isUnchanged(header, '"a"')).to.equal(false))
})

describe('the precondition of a write', () => {
  const current: JsonObject = { title: 'Überschrift', count: 1 }
  const tag = entityTag(asciiJson(current))
  const permits = (ifMatch: string | undefined, ifNoneMatch: string | undefined, met: JsonObject | null) =>
    preconditionOf(ifMatch, ifNoneMatch)?.(met)

  it('is absent without a header', () => {
    expect(preconditionOf(undefined, undefined)).to.equal(undefined)
  })

  it('is met by If-Match with the tag of the object, alone, in a list, or as *', () => {
    for (const header of [tag, `"b", ${tag}`, '*'])
      expect(permits(header, undefined, current), header).to.equal(true)
  })

  it('is not met by If-Match with another tag, a weak one, or none', () => {
    for (const header of ['"b"', `W/${tag}`, tag.slice(1, -1), ''])
      expect(permits(header, undefined, current), header).to.equal(false)
  })

  it('is not met by If-Match if no object exists', () => {
    for (const header of [tag, '*']) expect(permits(header, undefined, null), header).to.equal(false)
  })

  it('is met by If-None-Match: * only if no object exists', () => {
    expect(permits(undefined, '*', null)).to.equal(true)
    expect(permits(undefined, '*', current)).to.equal(false)
  })

  it('is met by If-None-Match only if all tags differ', () => {
    expect(permits(undefined, '"b"', current)).to.equal(true)
    expect(permits(undefined, `"b", ${tag}`, current)).to.equal(false)
  })

  it('is met only if both headers are', () => {
    expect(permits(tag, '"b"', current)).to.equal(true)
    expect(permits(tag, tag, current)).to.equal(false)
    expect(permits('"b"', '"b"', current)).to.equal(false)
  })

  it('computes the same tag for an object that is encoded in slices', () => {
    const long = { text: 'ä'.repeat(300_000) }
    expect(permits(entityTag(asciiJson(long)), undefined, long)).to.equal(true)
  })
})
