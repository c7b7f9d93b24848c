/** Urlnames made from titles (docs/behaviour/writing.md#urlname-from-title). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { section } from '../section/section.js'
import { tag } from '../tag/tag.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { valueContext } from '../testing/index.js'
import { urlname } from '../value/text.js'
import { lacksUrlname } from '../resource/decide-write.js'
import { urlnamesFor } from './public-path.js'
import { slugOf } from '../value/fold.js'

describe('a urlname made from a title', () => {
  it('is ASCII letters and digits in lower case, other characters as one hyphen', () => {
    for (const [title, slug] of [
      ['Food & Drink', 'food-drink'],
      ['  Crème brûlée! ', 'creme-brulee'],
      ["Can’t stop O'Brien: rock ’n’ roll", 'cant-stop-obrien-rock-n-roll'],
      ['Do\u00adnau\u2060dampfer, مدرســة', 'donaudampfer-mdrsh'],
      ['Привет, мир', 'privet-mir'],
      ['北京 2026', 'beijing-2026'],
      ['a__b.c~d', 'a-b-c-d'],
      ['…', ''],
      ['🎉', 'tada'],
    ] as const)
      expect(slugOf(title), title).to.equal(slug)
  })

  it('is valid for every title', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 255 }), (title) => {
        for (const each of [0, 1].flatMap((batch) => urlnamesFor(section, { title }, batch)))
          expect(E.isRight(urlname.decode(each, valueContext)), each).to.equal(true)
      }),
    )
  })

  it('is numbered until it is unused, and uses the name of the resource if the title has no letter', () => {
    const names = [0, 1].flatMap((batch) => urlnamesFor(section, { title: '!' }, batch))
    expect(names.slice(0, 52)).to.deep.equal([
      'section',
      ...Array.from({ length: 51 }, (_, index) => `section-${index + 1}`),
    ])
    const person = { first_name: 'Ada', last_name_or_title: 'Marchetti', type: 'person' }
    expect(urlnamesFor(tag, person, 0)[0]).to.equal('ada-marchetti')
  })

  it('is made only if the urlname may be left out', () => {
    expect(lacksUrlname(section, { title: 'x' })).to.equal(true)
    expect(lacksUrlname(section, { title: 'x', urlname: null })).to.equal(true)
    expect(lacksUrlname(section, { title: 'x', urlname: 'x' })).to.equal(false)
  })
})
