import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeModel } from '../describe-model.js'
import { importFaults, importRequest, initialValues, requestAfterTrial } from './import-request.js'

const { imports } = describeModel()
const file = '64f2b3c4-20d4-4e5b-8a77-0c6f4b6de1a9'

describe('the request of an import', () => {
  it('begins with the defaults of the declarations', () => {
    expect(initialValues(imports.options['ghost'] ?? [])).to.deep.equal({
      site: null,
      member_posts: 'draft',
      sections: 'none',
    })
    expect(initialValues(imports.fields)).to.include({ kind: null, replace: false })
  })

  it('has what is set', () => {
    const value = { kind: 'ghost', file_uuid: null, dry_run: true, replace: false }
    expect(importRequest(value, { site: null, sections: 'none' })).to.deep.equal({
      kind: 'ghost',
      dry_run: true,
      replace: false,
      options: { sections: 'none' },
    })
  })

  it('after a dry run has the same file and options, and writes', () => {
    const options = { site: 'https://www.example.org', member_posts: 'draft', sections: 'none' }
    const begun = { kind: 'ghost', file_uuid: file, replace: true, fetch: false, options }
    const tried = { ...begun, dry_run: true, uuid: file, state: 'finished', done: 3, problem: null }
    expect(requestAfterTrial(imports, tried)).to.deep.equal({ ...begun, dry_run: false })
  })
})

describe('the faults of an import', () => {
  const faultsIn = (info: Readonly<Record<string, string>>) =>
    importFaults(info, ['kind', 'file_uuid'], ['site', 'types'])

  it('are at the fields and options that they name', () => {
    expect(faultsIn({ kind: 'is required', 'options.site': 'must be a web address' })).to.deep.equal({
      ofFields: { kind: 'is required' },
      ofOptions: { site: 'must be a web address' },
      hasOthers: false,
    })
  })

  it('of items are together at their list', () => {
    expect(faultsIn({ 'options.types.0': 'is empty', 'options.types.2': 'is long' }).ofOptions).to.deep.equal(
      {
        types: '0: is empty\n2: is long',
      },
    )
  })

  it('of what the form does not have are others', () => {
    for (const path of ['', 'options', 'options.kind', 'site'])
      expect(faultsIn({ [path]: 'is wrong' }), path).to.deep.equal({
        ofFields: {},
        ofOptions: {},
        hasOthers: true,
      })
  })
})
