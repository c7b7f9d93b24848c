import { expect } from 'chai'
import { describe, it } from 'mocha'
import { ghostEntryNames, isFileOfSite, isGhostExportEntry } from './content-addresses.js'

describe('addresses of files of Ghost', () => {
  it('are names in a zip, of the original where they are those of a scaled picture', () => {
    expect(
      ghostEntryNames('https://a.org/blog/content/images/size/w1000/format/webp/2024/01/a%20b.jpg?v=1#x'),
    ).to.deep.equal(['content/images/2024/01/a b.jpg', 'images/2024/01/a b.jpg'])
    expect(ghostEntryNames('/content/files/%zz.pdf')).to.deep.equal([
      'content/files/%zz.pdf',
      'files/%zz.pdf',
    ])
    expect(ghostEntryNames('https://example.org/a.jpg')).to.deep.equal([])
  })

  it('belong to the website if their host does', () => {
    const isOwn = (address: string): boolean => isFileOfSite(address, 'https://www.a.org')
    expect(isOwn('http://a.org/content/images/a.jpg')).to.equal(true)
    expect(isOwn('https://storage.ghost.io/c/1/content/images/a.jpg')).to.equal(true)
    expect(isOwn('https://a.org/pictures/a.jpg')).to.equal(false)
    expect(isOwn('https://b.org/content/images/a.jpg')).to.equal(false)
    expect(isOwn('https://a.org.evil.example/content/images/a.jpg')).to.equal(false)
    expect(isOwn('data:image/png;base64,/content/images/')).to.equal(false)
  })

  it('tell which entry of a zip is the export', () => {
    const names = ['a.json', 'data/a.json', 'folder/a.json', 'folder/data/a.json']
    expect(names.filter(isGhostExportEntry)).to.deep.equal(names)
    const others = [
      'redirects.json',
      'content/themes/casper/package.json',
      '__MACOSX/a.json',
      'a.txt',
      'x/y/z.json',
    ]
    expect(others.filter(isGhostExportEntry)).to.deep.equal([])
  })
})
