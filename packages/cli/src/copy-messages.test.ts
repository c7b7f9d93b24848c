import type { CopyFailure } from '@publishing-service/application'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { exitCodes, readConfiguration } from '@publishing-service/composition-root'
import type { Side } from './copy-sides.js'
import { copyCommandFailure, copyText } from './copy-messages.js'

const side = (name: string, place: string): Side => {
  const read = readConfiguration({}, () => '')
  if (E.isLeft(read)) throw new Error(read.left.join())
  return {
    name,
    configuration: read.right,
    places: { documents: `${place}/documents`, blobs: `${place}/blobs` },
  }
}

const sides = { from: side('--from, old.env', '/old'), to: side('--to, the environment', '/new') }

const nothing = { partitions: [], blobs: 0 }

const cases: readonly (readonly [CopyFailure, RegExp])[] = [
  [{ _tag: 'SourceEmpty' }, /^--from, old\.env: there is no instance in \/old\/documents\. Check/],
  [
    { _tag: 'SourceUnfinished', source: '/older' },
    /^--from, old\.env: the source is itself an incomplete copy of \/older\./,
  ],
  [
    { _tag: 'DataMissing', instance: 2, file: 'f' },
    /^--from, old\.env: file f of instance 2 has data that is missing in \/old\/blobs\./,
  ],
  [
    { _tag: 'TargetNotEmpty', part: 'blobs' },
    /^--to, the environment: \/new\/blobs is not empty\. Choose other stores/,
  ],
  [{ _tag: 'TargetNotEmpty', part: 'documents' }, /^--to, the environment: \/new\/documents is not empty/],
  [
    { _tag: 'OtherCopy', source: '/older' },
    /^--to, the environment: the target contains an incomplete copy of \/older\./,
  ],
  [
    { _tag: 'DocumentRejected', instance: 1, collection: 'content', id: 'c', limit: 16_000_000 },
    /^--to, the environment: content c of instance 1 cannot be stored: it is larger than 16 MB$/,
  ],
  [
    { _tag: 'DocumentRejected', instance: 1, collection: 'content', id: 'c', limit: null },
    /content c of instance 1 cannot be stored: another document has the same unique value$/,
  ],
  [
    { _tag: 'DocumentDiffers', instance: 1, collection: 'content', id: 'c' },
    /^--to, the environment: there is another content c of instance 1\. Make sure/,
  ],
  [
    { _tag: 'ExportDamaged', problem: 'line 7 is not JSON' },
    /^--from, old\.env: the export is damaged: line 7 is not JSON\. Use another/,
  ],
  [
    { _tag: 'ConcurrentWriter' },
    /^--to, the environment: another process writes to the target\. Stop it, and run the same/,
  ],
  [
    { _tag: 'PortFailure', part: 'blob store', reason: 'Error: ENOSPC: no space left' },
    /^the blob store is unavailable: ENOSPC: no space left\. Fix that, and run the same command again/,
  ],
]

describe('the words of a copy', () => {
  for (const [failure, words] of cases)
    it(`describe ${failure._tag} on one line, with a remedy`, () => {
      const { lines, code } = copyCommandFailure(failure, sides)
      expect(lines).to.have.length(1)
      expect(lines[0]).to.match(words)
      expect(code).to.equal(failure._tag === 'PortFailure' ? exitCodes.unavailable : exitCodes.refused)
    })

  it('state whether anything was copied', () => {
    const headline = (failure: CopyFailure) => copyCommandFailure(failure, sides).headline
    expect(headline({ _tag: 'TargetNotEmpty', part: 'blobs' })).to.equal('Nothing was copied.')
    expect(headline({ _tag: 'ConcurrentWriter' })).to.equal('The copy is incomplete.')
  })

  it('name what has changed, and what is damaged, up to five of each', () => {
    const partitions = [0, 1, 2, 3, 4, 5, 6].map((instance) => ({ instance, collection: 'content' }))
    const failure = {
      _tag: 'CopyDiffers',
      changed: { partitions, blobs: 1 },
      damaged: { partitions: [], blobs: 2 },
    } as const
    const [changed, damaged, ...others] = copyCommandFailure(failure, sides).lines
    expect(others).to.deep.equal([])
    expect(changed).to.include(
      'the source has changed during the copy: the service’s content, content of instance 1, content of instance 2, ' +
        'content of instance 3, content of instance 4, 2 more, the data of 1 blob. Stop the services that use it',
    )
    expect(damaged).to.include('the target differs from what was written: the data of 2 blobs.')
    expect(copyCommandFailure({ ...failure, damaged: nothing }, sides).lines).to.have.length(1)
  })

  it('state what was copied, from where to where', () => {
    const result = { instances: 2, keys: 3, documents: 1234, blobs: 5, bytes: 2_140_000, resumed: false }
    expect(copyText(result, sides, 65)).to.equal(
      'Copied /old/documents and /old/blobs\nto /new/documents and /new/blobs\nin 1 min 5 s: 2 instances, 3 keys, ' +
        '1,234 documents, 5 blobs of 2.14 MB. Both sides are equal, by count and by content.',
    )
  })
})
