/** The rules of media (docs/behaviour/slots-and-media.md#medium-types): what each type needs, and how it reads. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Json, JsonObject } from '../json.js'
import { draftItem, draftItems } from '../resource/draft-attributes.js'
import { viewOf } from '../resource/read-plan.js'
import type { ViewContext } from '../resource/view-context.js'
import { almostMedium, medium } from '../testing/arbitraries.js'
import { messages, objectId, valueContext, viewOn } from '../testing/index.js'
import { media } from './media.js'

const image = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const audio = '00000000-0000-4000-8000-000000000001'

const read = (input: JsonObject, context = valueContext): JsonObject => {
  const { items, faults } = draftItem(media, input, context)
  const [item] = items
  if (item === undefined || faults.length > 0) throw new Error(JSON.stringify(faults))
  return item
}

const faultsOf = (input: unknown, context = valueContext): Readonly<Record<string, string>> =>
  messages(draftItem(media, input, context).faults)

const shown = (item: JsonObject): JsonObject => viewOf(media, item, viewOn(media, item))

describe('a medium', () => {
  it('can be sent back as it was read, without a change', () => {
    fc.assert(
      fc.property(medium, (input) => {
        const item = read(input)
        expect(read(shown(item))).to.deep.equal(item)
        expect(read(shown(item), { ...valueContext, strict: true })).to.deep.equal(item)
      }),
      { numRuns: 300 },
    )
  })

  it('has every attribute of its type, absent ones as null', () => {
    const common = ['type', 'title', 'content', 'slot_uuid', 'thumb_uuid', 'thumb_url', 'thumb_mimetype']
    const pictured = ['image_uuid', 'image_url', 'image_mimetype']
    fc.assert(
      fc.property(medium, (input) => {
        const own = {
          file: [...pictured, 'file_uuid', 'file_url', 'file_mimetype', 'file_byte_size'],
          external: [...pictured, 'url_type', 'url', 'urls'],
          embed: ['embed_code'],
        }[String(input['type'])]
        expect(Object.keys(shown(read(input)))).to.have.members([...common, ...(own ?? [])])
      }),
    )
  })

  it('is accepted or rejected with messages, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(almostMedium, fc.anything()), (input) => {
        const { items, faults } = draftItem(media, input, valueContext, 'items.3')
        expect(items).to.have.lengthOf(faults.length === 0 ? 1 : 0)
        for (const { path, message } of faults) {
          expect(path).to.match(/^items\.3(?:\.|$)/)
          expect(message).not.to.equal('')
        }
        expect(new Set(faults.map(({ path }) => path)).size).to.equal(faults.length)
        for (const item of items) expect(read(shown(item))).to.deep.equal(item)
      }),
      { numRuns: 500 },
    )
  })

  it('needs a type', () => {
    for (const type of [undefined, null, '', 'File', 'image', 'toString', 7])
      expect(faultsOf(type === undefined ? {} : { type }), String(type)).to.have.property('type')
    for (const input of [null, [], 'x', 7]) expect(faultsOf(input)).to.deep.equal({ '': 'must be an object' })
  })

  it('has a caption of the body’s schema without slots', () => {
    const input = { type: 'embed', embed_code: '<iframe></iframe>' }
    expect(read({ ...input, content: '<p>a</p>' })['content']).to.equal('<p>a</p>')
    expect(faultsOf({ ...input, content: '<p>a<main/></p>' })).to.have.all.keys('content')
    expect(faultsOf({ ...input, content: `<slot id="${image}"/>` })).to.have.all.keys('content')
  })
})

describe('a file medium', () => {
  it('needs an image or an audio file, or has both', () => {
    expect(faultsOf({ type: 'file' })).to.have.all.keys('image_uuid')
    expect(faultsOf({ type: 'file', image_uuid: null, file_uuid: null })).to.have.all.keys('image_uuid')
    for (const input of [
      { image_uuid: image },
      { file_uuid: audio },
      { image_uuid: image, file_uuid: audio },
    ])
      expect(faultsOf({ type: 'file', ...input })).to.deep.equal({})
  })

  it('reports a malformed image once', () => {
    expect(faultsOf({ type: 'file', image_uuid: 'x' })['image_uuid']).to.match(/UUID/)
  })

  it('has references to an image and audio, with paths', () => {
    const { references } = draftItem(
      media,
      { type: 'file', image_uuid: image, file_uuid: audio, thumb_uuid: image },
      valueContext,
      'items.0',
    )
    expect(references).to.deep.equal([
      { path: 'items.0.thumb_uuid', collection: 'files', id: image, media: 'image' },
      { path: 'items.0.image_uuid', collection: 'files', id: image, media: 'image' },
      { path: 'items.0.file_uuid', collection: 'files', id: audio, media: 'audio' },
    ])
  })

  it('has its own thumbnail, else its image scaled down, else the default thumbnail', () => {
    const download = `/1/files/${image}/download/7`
    const photograph = { mimetype: 'image/jpg', width: 300, height: 200, image_format: 'image/jpeg' }
    const with_ = (file: JsonObject, canScale: ViewContext['canScale'] = () => true): JsonObject => {
      const item = read({ type: 'file', image_uuid: image })
      const find = () => ({ upload: 7, mimetype: 'image/x', ...file })
      return viewOf(media, item, { ...viewOn(media, item), find, canScale })
    }
    expect(with_(photograph)).to.include({
      slot_uuid: objectId,
      thumb_uuid: null,
      thumb_url: `${download}?w=240&h=240`,
      thumb_mimetype: 'image/jpeg',
      image_url: download,
      image_mimetype: 'image/jpg',
    })
    const small = { ...photograph, width: 240 }
    expect(with_(small)).to.include({ thumb_url: `${download}?w=240&h=240`, thumb_mimetype: 'image/jpg' })
    // What can't be scaled is its own thumbnail.
    expect(with_({})).to.include({ thumb_url: download, thumb_mimetype: 'image/x' })
    expect(with_(photograph, () => false)).to.include({ thumb_url: download, thumb_mimetype: 'image/jpg' })
    expect(shown(read({ type: 'file', image_uuid: image, thumb_uuid: audio }))).to.include({
      thumb_url: `/1/files/${audio}/download/7`,
    })
  })

  it('has the address of its audio, and a default thumbnail', () => {
    const item = read({ type: 'file', file_uuid: audio })
    const find = () => ({ upload: 7, mimetype: 'audio/mpeg', byte_size: 12 })
    expect(viewOf(media, item, { ...viewOn(media, item), find })).to.include({
      thumb_url: '/1/files/default-thumbnail/audio',
      thumb_mimetype: 'image/png',
      image_url: null,
      image_mimetype: null,
      file_url: `/1/files/${audio}/download/7`,
      file_mimetype: 'audio/mpeg',
      file_byte_size: 12,
    })
  })

  it('has a thumbnail for any medium and any deleted targets', () => {
    const dead = (input: JsonObject, context = valueContext): unknown => {
      const item = read(input, context)
      return viewOf(media, item, { ...viewOn(media, item), find: () => undefined })['thumb_url']
    }
    const at = (kind: string) => `/1/files/default-thumbnail/${kind}`
    const urls = [{ url: 'https://a.example/b' }]
    expect(dead({ type: 'file', image_uuid: image, thumb_uuid: image })).to.equal(at('file'))
    expect(dead({ type: 'embed', embed_code: 'x', thumb_uuid: image })).to.equal(at('embed'))
    expect(dead({ type: 'external', url_type: 'vimeo', url: 'https://vimeo.com/1' })).to.equal(at('video'))
    expect(dead({ type: 'external', url_type: 'soundcloud', url: 'https://snd.sc/1' })).to.equal(at('audio'))
    for (const url_type of ['audio', 'video'])
      expect(dead({ type: 'external', url_type, urls })).to.equal(at(url_type))
    const streamingHosts = [{ name: 'maps', aliases: [], hosts: ['a.example'] }]
    const map = { type: 'external', url_type: 'maps', url: 'https://a.example/b' }
    expect(dead(map, { ...valueContext, streamingHosts })).to.equal(at('link'))
  })
})

describe('an external medium', () => {
  const external = { type: 'external' }

  it('needs a provider or kind, and what goes with it', () => {
    expect(faultsOf(external)).to.deep.equal({ url_type: 'is required' })
    expect(faultsOf({ ...external, url_type: 'video_host_1' })).to.have.all.keys('url')
    for (const url_type of ['audio', 'video']) {
      expect(faultsOf({ ...external, url_type })).to.have.all.keys('urls')
      expect(faultsOf({ ...external, url_type, urls: [] })).to.have.all.keys('urls')
      expect(faultsOf({ ...external, url_type, url: 'https://a.example/b.mp3' })).to.have.all.keys('urls')
      expect(faultsOf({ ...external, url_type, urls: [{ url: 'https://a.example/b' }] })).to.deep.equal({})
    }
    expect(faultsOf({ ...external, url_type: 'dailymotion', url: 'https://a.example' })).to.have.all.keys(
      'url_type',
    )
  })

  it('stores the names of providers, not the aliases', () => {
    for (const [alias, name, url] of [
      ['youtube', 'video_host_1', 'https://youtu.be/1'],
      ['vimeo', 'video_host_2', 'https://vimeo.com/1'],
      ['soundcloud', 'audio_host_1', 'https://soundcloud.com/a'],
    ] as const)
      expect(read({ ...external, url_type: alias, url })['url_type']).to.equal(name)
  })

  it('must have an address at its provider, as configured in the deployment', () => {
    expect(faultsOf({ ...external, url_type: 'youtube', url: 'https://vimeo.com/1' })['url']).to.contain(
      'youtube.com or youtu.be',
    )
    const streamingHosts = [{ name: 'video_host_1', aliases: ['ourtube'], hosts: ['video.example'] }]
    const input = { ...external, url_type: 'ourtube', url: 'https://video.example/1' }
    expect(read(input, { ...valueContext, streamingHosts })['url_type']).to.equal('video_host_1')
    expect(faultsOf({ ...input, url_type: 'youtube' }, { ...valueContext, streamingHosts })).to.have.all.keys(
      'url_type',
    )
  })

  it('stores MIME types of its addresses, and reports the index of a wrong one', () => {
    const urls = [{ url: 'https://a/1', mimetype: 'audio/mpeg' }, { url: 'https://a/2' }]
    expect(read({ ...external, url_type: 'audio', urls })['urls']).to.deep.equal([
      urls[0],
      { url: 'https://a/2', mimetype: null },
    ])
    const wrong = [{ url: 'https://a/1', mimetype: 'mp3' }, { url: '/2' }, {}, 7]
    expect(faultsOf({ ...external, url_type: 'audio', urls: wrong })).to.have.all.keys(
      'urls.0.mimetype',
      'urls.1.url',
      'urls.2.url',
      'urls.3',
    )
  })
})

describe('an embed medium', () => {
  it('needs its code, which is stored unchanged', () => {
    expect(faultsOf({ type: 'embed' })).to.deep.equal({ embed_code: 'is required' })
    expect(faultsOf({ type: 'embed', embed_code: '' })).to.have.all.keys('embed_code')
    const embed_code = '<iframe src="https://a.example" allowfullscreen></iframe><script>x</script>'
    expect(read({ type: 'embed', embed_code, url: 'ignored', image_uuid: 'ignored' })).to.deep.equal({
      type: 'embed',
      title: null,
      content: null,
      thumb_uuid: null,
      embed_code,
    })
  })
})

const pathsOf = (input: JsonObject, context = valueContext, most = 500): readonly string[] =>
  draftItems(media, input, context, most).faults.map(({ path }) => path)

describe('a list of media', () => {
  it('reports the faults of every item with its index', () => {
    const items: Json = [{ type: 'embed', embed_code: 'x' }, { type: 'embed' }, 7, { type: 'file' }]
    expect(pathsOf({ items })).to.deep.equal(['items.1.embed_code', 'items.2', 'items.3.image_uuid'])
  })

  it('has the references of its items, also of faulty ones', () => {
    const items: Json = [
      { type: 'embed', thumb_uuid: image },
      { type: 'file', image_uuid: image, title: 7 },
    ]
    const { references } = draftItems(media, { items }, valueContext, 500)
    expect(references.map(({ path }) => path)).to.deep.equal(['items.0.thumb_uuid', 'items.1.image_uuid'])
  })

  it('is required, as a list', () => {
    for (const input of [{}, { items: null }, { items: {} }, { items: 'x' }])
      expect(pathsOf(input)).to.deep.equal(['items'])
  })

  it('that is too long has one fault, and its items are not decoded', () => {
    expect(pathsOf({ items: [7, 7, 7] }, valueContext, 2)).to.deep.equal(['items'])
  })

  it('must be the only attribute with strict handling', () => {
    const items: Json = [{ type: 'embed' }]
    expect(pathsOf({ items, next: 1 })).to.deep.equal(['items.0.embed_code'])
    const strict = { ...valueContext, strict: true }
    expect(pathsOf({ items, next: 1 }, strict)).to.deep.equal(['items.0.embed_code', 'next'])
    expect(pathsOf({ next: 1 }, strict)).to.deep.equal(['items', 'next'])
  })
})
