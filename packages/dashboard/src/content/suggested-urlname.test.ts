import { expect } from 'chai'
import { describe, it } from 'mocha'
import { suggestedUrlname } from './suggested-urlname.js'

describe('suggestedUrlname', () => {
  it('has only letters, digits and single hyphens', () => {
    expect(suggestedUrlname('  Größe & Élan: 3 Gründe! ')).to.equal('groesse-elan-3-gruende')
    expect(suggestedUrlname('東京')).to.equal('')
    expect(suggestedUrlname('a'.repeat(79) + ' b')).to.equal('a'.repeat(79))
  })
})
