/** What a Content-Type header declares, and how large its data may be (docs/behaviour/files.md#mime-type). */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import { anyCharacter } from '../testing/legal-markup.js'
import { dataTypeFrom } from './data-type.js'
import {
  defaultUploadLimits,
  mimetypeGroup,
  mimetypePattern,
  unknownMimetype,
  uploadLimit,
  displayOf,
  downloadType,
} from './mimetype.js'

const typeFrom = (header: string | undefined, filename = 'x') => {
  const type = dataTypeFrom(header, filename)
  if (E.isLeft(type)) throw new Error(`${header} is refused: ${JSON.stringify(type.left)}`)
  return type.right
}
const mimetypeFrom = (header: string | undefined, filename?: string) => typeFrom(header, filename).mimetype
const charsetFrom = (header: string | undefined) => typeFrom(header).charset

describe('the MIME type of data', () => {
  it('is the type in lower case, without parameters', () => {
    expect(mimetypeFrom('text/html; charset=utf-8')).to.equal('text/html')
    expect(mimetypeFrom(' IMAGE/PNG ;x=y')).to.equal('image/png')
    expect(mimetypeFrom('application/vnd.ms-excel.sheet.binary+zip')).to.equal(
      'application/vnd.ms-excel.sheet.binary+zip',
    )
  })

  it('reads image/jpg as image/jpeg', () => {
    expect(mimetypeFrom('image/jpg')).to.equal('image/jpeg')
    expect(mimetypeFrom('Image/JPG; q=1')).to.equal('image/jpeg')
  })

  it('is that of the file name if none is declared', () => {
    const types: Readonly<Record<string, string>> = {
      'a.txt': 'text/plain',
      'A.JPG': 'image/jpeg',
      'song.mp3': 'audio/mpeg',
      'archive.tar.gz': 'application/gzip',
      'minutes.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    }
    for (const [filename, type] of Object.entries(types))
      for (const header of [undefined, '', ' '])
        expect(mimetypeFrom(header, filename), filename).to.equal(type)
    expect(typeFrom(undefined, 'a.txt').charset).to.equal(null)
  })

  it('is unknown/unknown if none is declared, and the file name has no known extension', () => {
    for (const filename of ['png', 'a.', '.png', 'a.no-such-type', 'a.constructor', ''])
      expect(mimetypeFrom(undefined, filename), filename).to.equal(unknownMimetype)
  })

  it('is what is declared, whatever the file name says', () => {
    expect(mimetypeFrom('audio/mpeg', 'a.txt')).to.equal('audio/mpeg')
    expect(mimetypeFrom('unknown/unknown', 'a.txt')).to.equal(unknownMimetype)
    expect(mimetypeFrom('nonsense', 'a.txt')).to.equal(unknownMimetype)
  })

  it('is unknown/unknown if there is no valid type', () => {
    for (const header of [
      undefined,
      '',
      ';',
      'image',
      'image/',
      '/png',
      'image/png/x',
      'image png',
      'image/p g',
      'a,b/c',
      'ä/b',
    ])
      expect(mimetypeFrom(header), header).to.equal(unknownMimetype)
  })

  it('is a MIME type of limited length for every header, and parses to itself', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[\w.+-]{1,200}\/[\w.+-]{1,200}$/)),
        (header) => {
          const read = dataTypeFrom(header, 'x')
          if (E.isLeft(read)) {
            expect(header).to.match(/^\s*multipart\/|\*/i)
            return
          }
          const { mimetype } = read.right
          expect(mimetype).to.match(mimetypePattern)
          expect(mimetype.length).to.be.at.most(255)
          expect(mimetypeFrom(mimetype)).to.equal(mimetype)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('the Content-Type of data', () => {
  it('may not be a wildcard or multipart; the problem says what to send instead', () => {
    for (const header of [
      '*/*',
      'image/*',
      ' */* ; q=1',
      'multipart/form-data; boundary=x',
      'Multipart/Related',
    ])
      expect(dataTypeFrom(header, 'x'), header)
        .to.nested.include({ _tag: 'Left', 'left._tag': 'UnsupportedMediaType' })
        .and.have.nested.property('left.expected')
        .that.includes('the bytes of the file alone')
  })

  it('may be any other type, an unknown one, and missing', () => {
    for (const header of [undefined, '', 'image/png', 'nonsense', 'multipart', 'application/x-star*'])
      expect(dataTypeFrom(header, 'x'), header).to.have.property('_tag', 'Right')
  })
})

describe('the charset of data', () => {
  it('is the declared charset of a text, in lower case, and UTF-8 by one name', () => {
    expect(charsetFrom('text/plain; charset=UTF-8')).to.equal('utf-8')
    for (const name of ['utf8', 'UTF8', 'utf_8', '"Utf-8"', 'unicode-1-1-utf-8'])
      expect(charsetFrom(`text/plain; charset=${name}`), name).to.equal('utf-8')
    expect(charsetFrom('text/csv;header=present;CHARSET="iso-8859-1" ; x=y')).to.equal('iso-8859-1')
  })

  it('is null if there is no valid charset, or the type is not text', () => {
    for (const header of [
      undefined,
      'text/plain',
      'text/plain; charset=',
      'text/plain; charset="',
      'text/plain; xcharset=utf-8',
      'text/plain; charset=utf-8\r\nX: y',
      `text/plain; charset=${'a'.repeat(41)}`,
      'image/svg+xml; charset=utf-8',
      'charset=utf-8',
    ])
      expect(charsetFrom(header), header).to.equal(null)
  })
})

describe('uploadLimit', () => {
  const mebibyte = 1024 * 1024

  it('depends on the group of the type', () => {
    expect(mimetypeGroup('image/svg+xml')).to.equal('image')
    for (const [type, limit] of [
      ['image/png', 20],
      ['audio/mpeg', 100],
      ['video/mp4', 500],
      ['application/pdf', 100],
      ['text/plain', 20],
      ['unknown/unknown', 20],
      ['other/x', 20],
    ] as const)
      expect(uploadLimit(defaultUploadLimits, type), type).to.equal(limit * mebibyte)
  })

  it('does not use names of the prototype as groups', () => {
    for (const type of ['constructor/x', 'tostring/x', '__proto__/x'])
      expect(uploadLimit(defaultUploadLimits, type)).to.equal(defaultUploadLimits.other)
  })
})

describe('displayOf', () => {
  it('displays the known images, audio and video', () => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'audio/mpeg', 'audio/x-m4a', 'video/mp4'])
      expect(displayOf(type), type).to.deep.equal({ disposition: 'inline', sandbox: false })
  })

  it('displays PDF in a sandbox', () => {
    expect(displayOf('application/pdf')).to.deep.equal({ disposition: 'inline', sandbox: true })
  })

  it('saves all other types as attachments', () => {
    for (const type of [
      'image/svg+xml',
      'image/svg',
      'image/x+xml',
      'image/anything',
      'audio/html',
      'video/x+xml',
      'text/html',
      'text/plain',
      'text/xsl',
      'application/xhtml+xml',
      'application/json',
      'application/octet-stream',
      'multipart/x-mixed-replace',
      unknownMimetype,
      '',
    ])
      expect(displayOf(type), type).to.deep.equal({ disposition: 'attachment', sandbox: true })
  })
})

describe('downloadType', () => {
  it('is application/octet-stream for the types that browsers run as scripts', () => {
    for (const type of [
      'text/javascript',
      'application/javascript',
      'text/javascript1.5',
      'application/x-ecmascript',
      'text/jscript',
      'text/livescript',
    ])
      expect(downloadType(type), type).to.equal('application/octet-stream')
  })

  it('is the type itself for all others', () => {
    for (const type of ['text/plain', 'text/css', 'application/json', 'image/png', unknownMimetype])
      expect(downloadType(type), type).to.equal(type)
  })
})
