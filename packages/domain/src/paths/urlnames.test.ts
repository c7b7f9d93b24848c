/** Urlnames made from other texts and from titles (docs/behaviour/writing.md#urlname-from-title). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { section } from '../sections/section.js'
import { tag } from '../tags/tag.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { codes, command, stateAfter, storedState, valueContext } from '../testing/index.js'
import { urlname } from '../value/text.js'
import { lacksUrlname } from '../resource/decide-write.js'
import { draftWrite } from '../resource/draft-write.js'
import { resources } from '../resource/resources.js'
import { urlnamesFor } from './urlnames.js'
import { slugOf } from '../value/fold.js'

// docs/behaviour/writing.md#urlname
describe('a text that is sent for a urlname', () => {
  it('is brought into form, unless handling is strict', () => {
    for (const [sent, stored] of [
      ["top_10_you_simply_can't_miss?-1795573752202", 'top_10_you_simply_cant_miss-1795573752202'],
      ['Food & Drink!', 'Food-Drink'],
      ['a (b), c: d/e', 'a-b-c-d-e'],
      ['Über-Straße~1.0', 'Uber-Strasse~1.0'],
      ['so\u00adft…x', 'soft-x'],
      ['北京', 'BeiJing'],
      ['æ'.repeat(255), 'ae'.repeat(127) + 'a'],
    ] as const) {
      for (const each of [sent, stored])
        expect(stateAfter(section, command('put', { title: 'x', urlname: each }))['urlname'], each).to.equal(
          stored,
        )
      const strict = command('put', { title: 'x', urlname: sent }, null, { strict: true })
      expect(codes(draftWrite(section, strict).faults), sent).to.deep.equal({ urlname: 'format' })
    }
  })

  it('is a fault if it is too long or no character stays', () => {
    for (const sent of ['', '…', 'é'.repeat(256), 'é\u0000', ['é'], { é: 'é' }])
      expect(
        codes(draftWrite(section, command('put', { title: 'x', urlname: sent })).faults),
      ).to.have.all.keys('urlname')
  })

  it('stays as it is if the object has it', () => {
    const previous = { ...storedState(section, { title: 'x', urlname: 'x' }), urlname: 'é' }
    const kept = stateAfter(section, command('patch', { title: 'y', urlname: 'é' }, previous))
    expect([kept['title'], kept['urlname']]).to.deep.equal(['y', 'é'])
  })

  it('is brought into form in every resource that has urlnames', () => {
    const named = resources.filter(({ attributes: { urlname: each } }) => each?.kind === 'stored')
    expect(named.map(({ collection }) => collection)).to.include.members(['content', 'locations', 'tags'])
    for (const resource of named) {
      const { state } = draftWrite(resource, command('put', { urlname: 'Été 1' }))
      expect(state['urlname'], resource.collection).to.equal('Ete-1')
    }
  })
})

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
