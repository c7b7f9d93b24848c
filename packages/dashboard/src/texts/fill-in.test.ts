import { expect } from 'chai'
import { describe, it } from 'mocha'
import { fillIn } from './fill-in.js'

const { text, plural } = fillIn('en')

describe('a text with placeholders', () => {
  it('has the values in their places', () => {
    const moved = text('{name} moved from {place} to {place}.', 'name', 'place')
    expect(moved({ name: 'Fog', place: 3 })).to.equal('Fog moved from 3 to 3.')
  })

  it('has values as they are, also if they look like placeholders or patterns', () => {
    const both = text('{name}, {place}', 'name', 'place')
    expect(both({ name: '{place} $& $1', place: 'top' })).to.equal('{place} $& $1, top')
  })

  it('keeps a placeholder that it does not know', () => {
    expect(text('{name} {other}', 'name')({ name: 'Fog' })).to.equal('Fog {other}')
  })

  it('begins a value with a small letter if the text says so', () => {
    expect(text('New {what, lower}', 'what')({ what: 'Tag category' })).to.equal('New tag category')
  })
})

describe('a text in several forms', () => {
  const files = plural({ one: '1 file', other: '{count} files' })

  it('has the form of the number', () => {
    expect([0, 1, 2, 5].map(files)).to.deep.equal(['0 files', '1 file', '2 files', '5 files'])
  })

  it('has a form of its own for none', () => {
    const filters = plural({ zero: 'Filters', other: 'Filters ({count})' })
    expect([0, 1].map(filters)).to.deep.equal(['Filters', 'Filters (1)'])
  })

  it('has the forms that the language tells apart, otherwise the last', () => {
    const polish = fillIn('pl').plural
    const forms = {
      one: '{count} plik',
      few: '{count} pliki',
      many: '{count} plików',
      other: '{count} pliku',
    }
    expect([1, 3, 5].map(polish(forms))).to.deep.equal(['1 plik', '3 pliki', '5 plików'])
    expect([1, 3, 5].map(polish({ other: '{count} plików' }))).to.deep.equal([
      '1 plików',
      '3 plików',
      '5 plików',
    ])
  })
})
