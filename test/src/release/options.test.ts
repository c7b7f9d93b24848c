import { resolve } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readOptions } from './options.js'

describe('the options of a release', () => {
  it('are read', () => {
    expect(readOptions(['--dry-run'])).to.deep.equal({
      dryRun: true,
      to: null,
      next: null,
      withImage: true,
      uncommitted: false,
    })
    expect(readOptions(['--to', 'made', '--next', '1.0.0', '--without-image'])).to.deep.equal({
      dryRun: false,
      to: resolve('made'),
      next: '1.0.0',
      withImage: false,
      uncommitted: false,
    })
    expect(readOptions(['--help'])).to.equal(null)
  })

  it('are refused if they are unknown or do not fit each other', () => {
    for (const [parameters, named] of [
      [['--dryrun'], '--dryrun'],
      [['0.2.0'], '0.2.0'],
      [[], '--to'],
      [['--to', 'made', '--uncommitted'], '--uncommitted'],
      [['--dry-run', '--next', '1.0'], '1.0'],
    ] as const)
      expect(() => readOptions(parameters), named).to.throw(named)
  })
})
