import { basename, relative } from 'node:path'
import { expect } from 'chai'
import { checkBlobKey } from '@publishing-service/ports'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { directoryOf, fileOf, segmentOfDirectory, segmentOfFile } from './filesystem-blob-store.js'

const characters = [...'ABCXYZabcxyz019_.-']
const segment = (longest: number) =>
  fc
    .array(fc.constantFrom(...characters), { minLength: 1, maxLength: longest })
    .map((letters) => letters.join(''))
    .filter((text) => text !== '.' && text !== '..')
const key = fc.array(segment(30), { minLength: 2, maxLength: 6 }).map((segments) => segments.join('/'))

describe('the path of a blob on disk', () => {
  it('can be converted back to its key, as a file and as a directory, and is below the root', () => {
    fc.assert(
      fc.property(key, (text) => {
        checkBlobKey(text)
        const names = relative('/root', fileOf('/root', text)).split('/')
        const segments = names.map((name, at) =>
          at === names.length - 1 ? segmentOfFile(name) : segmentOfDirectory(name),
        )
        expect(segments.join('/')).to.equal(text)
        expect(names).to.not.include('..')
        const below = relative('/root', directoryOf('/root', text)).split('/')
        expect(below.map(segmentOfDirectory).join('/')).to.equal(text)
      }),
    )
  })

  it('differs for two keys on a case-insensitive file system', () => {
    fc.assert(
      fc.property(segment(6), segment(6), (one, other) => {
        fc.pre(one !== other)
        const paths = [one, other].map((text) => fileOf('/root', `a/${text}`).toLowerCase())
        expect(paths[0]).to.not.equal(paths[1])
      }),
    )
  })

  it('has no name of more than 255 bytes', () => {
    for (const letter of ['x', 'X', '.', '-']) {
      const longest = `a/${letter.repeat(198)}`
      checkBlobKey(longest)
      expect(basename(fileOf('/root', longest)).length).to.be.at.most(255)
    }
  })

  it('is null for a name that is not of the store', () => {
    for (const name of ['lost+found', '.DS_Store', 'a b@', '@', 'a@@', 'a+x@'])
      expect(segmentOfFile(name), name).to.equal(null)
    expect(segmentOfDirectory('lost+found')).to.equal(null)
    expect(segmentOfDirectory('a@')).to.equal(null)
  })
})
