import { expect } from 'chai'
import { describe, it } from 'mocha'
import { displayOf, downloadType } from './display.js'
import { unknownMimetype } from './mimetype.js'

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
