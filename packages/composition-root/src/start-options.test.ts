import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readStartOptions } from './start-options.js'

const start = (adoptBlobs: boolean) => E.right({ _tag: 'Start', options: { adoptBlobs } })

describe('options of a start', () => {
  it('are off if they aren’t given', () => {
    expect(readStartOptions([])).to.deep.equal(start(false))
    expect(readStartOptions(['--adopt-blobs'])).to.deep.equal(start(true))
  })

  it('request the help or the version instead of a start', () => {
    expect(readStartOptions(['--help'])).to.deep.equal(E.right({ _tag: 'Help' }))
    expect(readStartOptions(['--adopt-blobs', '--version'])).to.deep.equal(E.right({ _tag: 'Version' }))
  })

  it('are rejected with the options that exist, if they are unknown', () => {
    for (const unknown of ['--adopt-blob', '--adopt-blobs=1', 'adopt-blobs', '-a', ''])
      expect(readStartOptions([unknown]), unknown).to.have.property('_tag', 'Left')
    expect(readStartOptions(['--one', '--adopt-blobs'])).to.deep.equal(
      E.left("Unknown option '--one'. The options are --adopt-blobs, --help, --version"),
    )
  })
})
