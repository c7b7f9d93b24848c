/** Whether an address is that of a provider, as a browser would resolve it. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { defaultStreamingHosts, isHostedBy, type StreamingHost } from './value-type.js'

const hostNamed = (alias: string): StreamingHost => {
  const found = defaultStreamingHosts.find(({ aliases }) => aliases.includes(alias))
  if (found === undefined) throw new Error(`no provider ${alias}`)
  return found
}

const youtube = hostNamed('youtube')

describe('isHostedBy', () => {
  for (const url of [
    'https://youtube.com/watch?v=1',
    'https://www.youtube.com/watch?v=1',
    'http://m.YouTube.com/watch',
    'https://youtu.be/1',
    'https://www.youtube-nocookie.com/embed/1',
    'https://youtube.com',
    'https://youtube.com:443/x',
    'https://youtube.com?v=1',
    'https://youtube.com#1',
    'https://user@youtube.com/x',
  ])
    it(`accepts ${url}`, () => {
      expect(isHostedBy(youtube, url)).to.equal(true)
    })

  for (const url of [
    'https://vimeo.com/1',
    'https://notyoutube.com/watch',
    'https://youtube.com.example.org/',
    'https://example.org/youtube.com',
    'https://example.org/?u=https://youtube.com/',
    'https://example.org#@youtube.com/',
    'https://youtube.com@example.org/',
    'https://youtube.com:x@example.org/',
    'https://a@b@youtube.com/',
    'https://example.org\\@youtube.com/',
    'https://example.org\\.youtube.com/',
    'https://youtube-nocookie.com.evil/',
    'ftp://youtube.com/x',
    'youtube.com/x',
    '//youtube.com/x',
    '',
  ])
    it(`rejects ${url === '' ? 'the empty text' : url}`, () => {
      expect(isHostedBy(youtube, url)).to.equal(false)
    })

  it('accepts only addresses of the same provider', () => {
    expect(isHostedBy(hostNamed('vimeo'), 'https://player.vimeo.com/video/1')).to.equal(true)
    expect(isHostedBy(hostNamed('soundcloud'), 'https://snd.sc/1')).to.equal(true)
    expect(isHostedBy(hostNamed('soundcloud'), 'https://sub.snd.sc/1')).to.equal(false)
  })
})
