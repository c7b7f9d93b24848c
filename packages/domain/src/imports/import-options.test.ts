import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { importOptionTypes, plainMapping } from './import-options.js'

const decoded = (options: unknown) =>
  importOptionTypes.csv.decode(options, { zone: 'UTC', streamingHosts: [], strict: true })

const faultsOf = (mapping: unknown): readonly string[] => {
  const read = decoded({ collection: 'content', mapping })
  return E.isLeft(read) ? read.left.map(({ path }) => path) : []
}

describe('the options of tables', () => {
  it('have a mapping whose parts may be absent', () => {
    const options = { collection: 'content', source: '', encoding: null }
    expect(decoded({ collection: 'content' })).to.deep.equal(E.right({ ...options, mapping: plainMapping }))
    const mapping = { columns: { 'Name.': 'title' }, separator: ';' }
    expect(decoded({ collection: 'content', mapping })).to.deep.equal(
      E.right({ ...options, mapping: { ...plainMapping, ...mapping } }),
    )
  })

  it('name each part of a mapping that is wrong', () => {
    expect(
      faultsOf({ columns: { Name: 1, Day: 'dtstart' }, constants: [], id: 2, separator: '', column: {} }),
    ).to.have.members([
      'mapping.columns.Name',
      'mapping.constants',
      'mapping.id',
      'mapping.separator',
      'mapping.column',
    ])
    expect(faultsOf({ columns: ['Name'] })).to.deep.equal(['mapping.columns'])
    expect(faultsOf([])).to.deep.equal(['mapping'])
  })
})
