import { expect } from 'chai'
import { describe, it } from 'mocha'
import { content } from '../content/content.js'
import { E } from '../fp.js'
import { section } from '../section/section.js'
import { command, decided, later, messages, stateAfter } from '../testing/index.js'

const article = { content_type: 'article', title: 'A title', urlname: 'a-title' }
const sectionId = '11111111-1111-4111-8111-111111111111'
const kultur = { urlname: 'kultur', title: 'Kultur', parent_uuid: null, old_paths: [], hidden_paths: [] }
const withKultur = { objects: new Map([[`sections/${sectionId}`, kultur] as const]) }

describe('decideWrite', () => {
  it('decides on a valid object without asking anything', () => {
    const { outcome, questions } = decided(content, command('put', article))
    expect(questions).to.deep.equal([])
    expect(E.isRight(outcome) && outcome.right.state).to.include({ title: 'A title', state: 'draft' })
  })

  it('ends in all faults at once: of values, references and the urlname', () => {
    const input = { ...article, section_uuid: sectionId, evergreen: 7 }
    const { outcome } = decided(content, command('put', input), { isTaken: () => true })
    if (E.isRight(outcome) || outcome.left._tag !== 'BadParameters') return expect.fail('is accepted')
    expect(messages(outcome.left.faults)).to.include({
      section_uuid: 'names no section of this instance',
      urlname: 'urlname not unique within section',
    })
    expect(messages(outcome.left.faults)).to.have.property('evergreen')
  })

  it('leaves a urlname that is taken to the store where nothing else is wrong', () => {
    expect(decided(content, command('put', article), { isTaken: () => true }).questions).to.deep.equal([])
  })

  it('makes the first urlname of the title that is free', () => {
    const unnamed = command('put', { title: 'A title' })
    const taken = new Set(['a-title', 'a-title-1'])
    const made = stateAfter(section, unnamed, { isTaken: ({ urlname }) => taken.has(String(urlname)) })
    expect(made).to.include({ urlname: 'a-title-2' })
    const next = stateAfter(section, unnamed, {
      isTaken: ({ urlname }) => !String(urlname).endsWith('-60'),
    })
    expect(next).to.include({ urlname: 'a-title-60' })
  })

  it('ends in the previous state itself if nothing changes', () => {
    const previous = stateAfter(content, command('put', article))
    expect(stateAfter(content, command('patch', { title: 'A title' }, previous, { now: later }))).to.equal(
      previous,
    )
  })

  it('refuses what the writer may not make of the object', () => {
    const published = command('put', { ...article, state: 'published' })
    const contributor = { role: 'contributor', user: 'someone' } as const
    const { outcome } = decided(content, published, {}, contributor)
    expect(E.isLeft(outcome) && outcome.left._tag).to.equal('Forbidden')
    expect(E.isRight(decided(content, command('put', article), {}, contributor).outcome)).to.equal(true)
  })

  it('records the path that an object had before it is renamed or moved', () => {
    const previous = stateAfter(content, command('put', { ...article, section_uuid: sectionId }), withKultur)
    const renamed = stateAfter(content, command('patch', { urlname: 'other' }, previous), withKultur)
    expect(renamed['old_paths']).to.deep.equal(['/kultur/a-title/'])
    const changed = stateAfter(content, command('patch', { title: 'Other' }, previous), withKultur)
    expect(changed['old_paths']).to.deep.equal([])
  })

  it('asks what references lead to, and for the last sibling where a default follows from it', () => {
    const input = { title: 'Musik', urlname: 'musik', parent_uuid: sectionId }
    const { outcome, questions } = decided(section, command('put', input), {
      ...withKultur,
      first: { ord: 4 },
    })
    expect(questions).to.deep.equal(['objects', 'first'])
    expect(E.isRight(outcome) && outcome.right.state).to.include({ ord: 5 })
  })
})
