import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeMedia } from '../describe-model.js'
import { hostOf, missingIn } from './item-faults.js'

const tube = { name: 'video_host_7', aliases: ['tube'], hosts: ['tube.example', '.tube.example'] }
const media = describeMedia([tube])

describe('an item of a list', () => {
  it('lacks what the service requires of its type', () => {
    expect(missingIn(media, { type: 'embed' })).to.deep.equal([['embed_code']])
    expect(missingIn(media, { type: 'file', title: 'A' })).to.deep.equal([['image_uuid', 'file_uuid']])
    expect(missingIn(media, { type: 'file', file_uuid: 'u' })).to.deep.equal([])
    expect(missingIn(media, { type: 'external' })).to.deep.equal([['url_type']])
  })

  it('lacks an address at the provider, or addresses of a file, whatever the providers are', () => {
    const external = (url_type: string) => ({ type: 'external', url_type, url: null, urls: [] })
    expect(missingIn(media, external('video_host_7'))).to.deep.equal([['url']])
    expect(missingIn(media, external('video'))).to.deep.equal([['urls']])
  })

  it('has the provider of its address', () => {
    expect(hostOf(media.hosts, 'https://www.tube.example/watch?v=1')).to.equal(tube)
    expect(hostOf(media.hosts, 'https://www.youtube.com/watch?v=1')).to.equal(undefined)
  })
})
