import { asciiJson, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { codedTag, preconditionOf, unchangedTag } from './entity-tag.js'
import { entityTag } from './ready-response.js'

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
  const tagOf304 = (ifNoneMatch: string, acceptEncoding?: string, selected?: string) =>
    unchangedTag(ifNoneMatch, acceptEncoding, '"a"', selected)

  for (const [name, header] of Object.entries(matching))
    it(`holds for ${name}`, () => expect(tagOf304(header)).to.equal('"a"'))

  const others: Readonly<Record<string, string>> = {
    'an empty header': '',
    'another tag': '"b"',
    'a tag that contains it': '"ab"',
    'the tag without quotes': 'a',
    'a list with an asterisk': '"b", *',
    'another tag with the sign of a compression': '"b-gzip"',
    'a tag that goes on after the sign of a compression': '"a-gzip-x"',
  }
  for (const [name, header] of Object.entries(others))
    it(`does not hold for ${name}`, () => expect(tagOf304(header)).to.equal(null))

  it('holds for the signs of compression, and 304 has the tag that the client sent, strong', () => {
    for (const form of ['"a-gzip"', '"a-br"', 'W/"a-gzip"', '"a--gzip"', '"a;gzip"', '"a-zstd"', 'W/"a"'])
      expect(tagOf304(`"b", ${form}`), form).to.equal(form.replace('W/', ''))
    expect(tagOf304('"a", "a-br"', 'br', '"a-br"'), 'of the form that is selected').to.equal('"a-br"')
    expect(tagOf304('*', 'br', '"a-br"')).to.equal('"a-br"')
  })

  it('does not hold for a form that the client does not accept', () => {
    expect(tagOf304('"a-br"', 'gzip')).to.equal(null)
    expect(tagOf304('"a-br"', 'gzip, br;q=0')).to.equal(null)
    expect(tagOf304('"a-br", "a-gzip"', 'gzip')).to.equal('"a-gzip"')
    expect(tagOf304('"a"', 'gzip', '"a-gzip"'), 'uncompressed').to.equal(null)
    expect(tagOf304('W/"a"', 'gzip', '"a-gzip"')).to.equal('"a"')
  })

  it('holds for a tag that ends like the sign of a compression', () => {
    expect(unchangedTag('"x-br"', 'gzip', '"x-br"')).to.equal('"x-br"')
    expect(codedTag('"x-br"', 'gzip')).to.equal('"x-br-gzip"')
  })
})

describe('the precondition of a write', () => {
  const current: JsonObject = { title: 'Überschrift', count: 1 }
  const tag = entityTag(asciiJson(current))
  const permits = (ifMatch: string | undefined, ifNoneMatch: string | undefined, met: JsonObject | null) =>
    preconditionOf(ifMatch, ifNoneMatch)(met)

  it('is met by If-Match with the tag of the object, alone, in a list, weak, with the sign of a compression, or as *', () => {
    const coded = [codedTag(tag, 'gzip'), codedTag(tag, 'br'), tag.replace(/"$/, ';gzip"')]
    const weak = [tag, ...coded].map((each) => `W/${each}`)
    for (const header of [tag, `"b", ${tag}`, '*', ...coded, ...weak])
      expect(permits(header, undefined, current), header).to.equal(true)
  })

  it('is not met by If-Match with another tag or none', () => {
    for (const header of ['"b"', 'W/"b"', '"b-gzip"', tag.slice(1, -1), ''])
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
    expect(permits(undefined, `W/${codedTag(tag, 'gzip')}`, current)).to.equal(false)
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
