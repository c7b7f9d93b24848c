import { expect } from 'chai'
import { describe, it } from 'mocha'
import { importLine, objectPath, refusedFirst, shownOutcome } from './import-line.js'

const outcomes = ['created', 'present', 'refused'] as const
const object = '64f2b3c4-20d4-4e5b-8a77-0c6f4b6de1a9'

describe('a line of the report of an import', () => {
  it('has its faults and notes', () => {
    const row = {
      number: 3,
      source: 'post 17',
      title: 'Fog',
      line: null,
      collection: 'content',
      object,
      outcome: 'created',
      faults: [{ path: 'issued', message: 'must be a date-time' }],
      notes: [
        { kind: 'shortcode', line: 2, in: 'body', text: 'is unknown' },
        { kind: 'other', line: null, in: 'file', text: 'is left out' },
      ],
    }
    expect(importLine(row)).to.deep.equal({
      ...row,
      notes: [
        { line: 2, isInBody: true, text: 'is unknown' },
        { line: null, isInBody: false, text: 'is left out' },
      ],
    })
  })

  it('has no faults and notes where the service has none', () => {
    expect(importLine({ number: 1, source: 'post 1', outcome: 'created' })).to.deep.include({
      title: null,
      faults: [],
      notes: [],
    })
  })

  it('leads to the object that was written', () => {
    const line = { collection: 'content', object, outcome: 'created' }
    const pathOf = (part: Partial<typeof line>) => objectPath({ ...line, ...part }, ['content', 'homepage'])
    expect(pathOf({})).to.equal(`content/${object}`)
    expect(pathOf({ outcome: 'refused' })).to.equal(null)
    expect(pathOf({ collection: 'unknown' })).to.equal(null)
    expect(pathOf({ collection: 'homepage' })).to.equal('homepage')
    expect(objectPath({ ...line, object: null }, ['content'])).to.equal(null)
  })
})

describe('the filter of the report of an import', () => {
  it('has what was refused as the first choice', () => {
    expect(refusedFirst(outcomes)).to.deep.equal(['refused', 'created', 'present'])
  })

  it('shows what was refused if nothing else is requested', () => {
    expect(shownOutcome(null, outcomes, 1)).to.equal('refused')
    expect(shownOutcome(null, outcomes, 0)).to.equal('all')
    expect(shownOutcome('all', outcomes, 1)).to.equal('all')
    expect(shownOutcome('present', outcomes, 1)).to.equal('present')
    expect(shownOutcome('unknown', outcomes, 1)).to.equal('refused')
  })
})
