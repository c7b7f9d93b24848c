import { E } from '@publishing-service/domain'
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

  it('are rejected, one line each, if they are unknown', () => {
    for (const unknown of ['--adopt-blob', '--adopt-blobs=1', 'adopt-blobs', '-a', '--', ''])
      expect(readStartOptions([unknown]), unknown).to.have.property('_tag', 'Left')
    const both = readStartOptions(['--one', '--adopt-blobs', 'two'])
    if (E.isRight(both)) throw new Error('taken')
    expect(both.left).to.have.lengthOf(2)
    expect(both.left[0]).to.match(/^--one is no option\. The options are --adopt-blobs, --help, --version$/)
    expect(both.left[1]).to.match(/^two /)
  })

  it('are rejected if they are duplicated', () => {
    expect(readStartOptions(['--adopt-blobs', '--adopt-blobs'])).to.deep.equal(
      E.left(['--adopt-blobs is given more than once']),
    )
  })
})
