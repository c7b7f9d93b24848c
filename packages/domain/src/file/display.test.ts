import { expect } from 'chai'
import { describe, it } from 'mocha'
import { displayOf } from './display.js'
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
