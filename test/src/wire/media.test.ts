/** docs/behaviour/slots-and-media.md, on every store: the three types of media. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { imagingFixtures } from '@publishing-service/conformance'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { storeAudio, storeFile, storeImage, type StoredFile } from '../harness/stored-files.js'
import { someAudio } from '../harness/small-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const a = randomUUID()
const embed = (code: string): JsonObject => ({ type: 'embed', embed_code: code })

for (const { name, environment } of combinations)
  describe(`media, ${name}`, () => {
    let service: TestService
    let home: Publication
    let story: string
    let image: StoredFile
    let audio: StoredFile
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      image = await storeImage(home.editor)
      audio = await storeAudio(home.editor)
      const body = { content_type: 'article', title: 'x', urlname: 'x', content: `<slot id="${a}"/>` }
      story = uuidOf(await home.editor.post('/content', body))
    })
    after(async () => {
      const errors = service.errorsLogged()
      await service.stop()
      expect(errors).to.deep.equal([])
    })

    const slotOf = (id: string): string => `/content/${story}/slots/${id}`
    const mediaOf = async (path: string): Promise<readonly JsonObject[]> =>
      objectsOf(await home.reader.get(`${path}/media`))

    it('returns a file medium with every attribute of its type, absent ones null, and the resized image as thumbnail', async () => {
      expectOk(
        await home.editor.put(`${slotOf(a)}/media`, {
          items: [
            { type: 'file', image_uuid: image.id },
            { type: 'file', file_uuid: audio.id },
            {
              type: 'file',
              image_uuid: image.id,
              file_uuid: audio.id,
              thumb_uuid: image.id,
              title: 'T',
              content: '<p>c</p>',
            },
          ],
        }),
      )
      const [picture, sound, both] = await mediaOf(slotOf(a))
      const download = `${home.url}${image.download}`
      expect(picture).to.deep.equal({
        type: 'file',
        title: null,
        content: null,
        slot_uuid: a,
        thumb_uuid: null,
        thumb_mimetype: 'image/png',
        thumb_url: picture?.['thumb_url'],
        image_uuid: image.id,
        image_url: download,
        image_mimetype: 'image/png',
        file_uuid: null,
        file_url: null,
        file_mimetype: null,
        file_byte_size: null,
      })
      expect(picture?.['thumb_url']).to.match(
        new RegExp(`^${download.replaceAll('.', '\\.')}\\?w=\\d+&h=\\d+$`),
      )
      expect(sound).to.include({
        image_uuid: null,
        image_url: null,
        image_mimetype: null,
        file_uuid: audio.id,
        thumb_url: `${home.url}/files/default-thumbnail/audio`,
        thumb_mimetype: 'image/png',
        file_url: `${home.url}${audio.download}`,
        file_mimetype: 'audio/mpeg',
        file_byte_size: someAudio.length,
      })
      expect(both).to.include({
        title: 'T',
        content: '<p>c</p>',
        thumb_uuid: image.id,
        thumb_url: download,
        file_uuid: audio.id,
      })
    })

    it('returns the original as thumbnail of an image that cannot be scaled', async () => {
      const { id, download } = await storeFile(home.editor, {
        mimetype: 'image/jpeg',
        data: imagingFixtures.cmykJpeg,
      })
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [{ type: 'file', image_uuid: id }] }))
      expect((await mediaOf(slotOf(a)))[0]).to.include({
        thumb_url: `${home.url}${download}`,
        thumb_mimetype: 'image/jpeg',
      })
    })

    // docs/behaviour/slots-and-media.md#external-media
    it('accepts the five URL types of an external medium, the aliases of the providers, and their hosts only', async () => {
      const put = async (medium: JsonObject): Promise<JsonObject> => {
        expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [{ type: 'external', ...medium }] }))
        return (await mediaOf(slotOf(a)))[0] ?? {}
      }
      const hosted = {
        video_host_1: 'https://www.youtube.com/watch?v=x',
        video_host_2: 'https://vimeo.com/1',
        audio_host_1: 'https://soundcloud.com/a/b',
      }
      for (const [url_type, address] of Object.entries(hosted))
        expect(await put({ url_type, url: address })).to.include({ url_type, url: address, urls: null })
      for (const [alias, host] of Object.entries({
        youtube: 'video_host_1',
        vimeo: 'video_host_2',
        soundcloud: 'audio_host_1',
      } as const))
        expect(await put({ url_type: alias, url: hosted[host] })).to.include({ url_type: host })
      const urls = [
        { url: 'https://example.org/a.mp3', mimetype: 'audio/mpeg' },
        { url: 'http://example.org/a.ogg', mimetype: null },
      ]
      for (const url_type of ['audio', 'video'])
        expect((await put({ url_type, urls }))['urls']).to.deep.equal(urls)
      expect(await put({ url_type: 'audio', urls, image_uuid: image.id })).to.include({
        image_uuid: image.id,
        image_url: `${home.url}${image.download}`,
        image_mimetype: 'image/png',
      })
      expect(Object.keys(await put({ url_type: 'audio', urls }))).to.have.members([
        'type',
        'title',
        'content',
        'slot_uuid',
        'thumb_uuid',
        'thumb_url',
        'thumb_mimetype',
        'image_uuid',
        'image_url',
        'image_mimetype',
        'url_type',
        'url',
        'urls',
      ])
    })

    it('returns an embed with unchanged markup', async () => {
      const code = '<iframe src="https://example.org/?a=1&b=2" onload=x></iframe><script>1 < 2</script>'
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items: [embed(code)] }))
      const [item] = await mediaOf(slotOf(a))
      expect(item).to.deep.equal({
        type: 'embed',
        title: null,
        content: null,
        slot_uuid: a,
        thumb_uuid: null,
        thumb_url: `${home.url}/files/default-thumbnail/embed`,
        thumb_mimetype: 'image/png',
        embed_code: code,
      })
    })

    // docs/behaviour/slots-and-media.md#deleted-files
    it('returns null for a deleted image; leaves out a medium that has neither image nor sound', async () => {
      const [deleted, sound] = [await storeImage(home.editor), await storeAudio(home.editor)]
      const items = [
        { type: 'file', image_uuid: deleted.id, thumb_uuid: deleted.id },
        { type: 'file', image_uuid: deleted.id, thumb_uuid: deleted.id, file_uuid: sound.id },
      ]
      expectOk(await home.editor.put(`${slotOf(a)}/media`, { items }))
      expectOk(await home.editor.delete(`/files/${deleted.id}`))
      const left = await mediaOf(slotOf(a))
      expect(left).to.have.lengthOf(1)
      expect(left[0]).to.include({
        file_uuid: sound.id,
        image_uuid: null,
        image_url: null,
        image_mimetype: null,
        thumb_uuid: null,
        thumb_url: `${home.url}/files/default-thumbnail/audio`,
      })
    })
  })

describe('streaming hosts of a deployment', () => {
  // docs/behaviour/slots-and-media.md#streaming-hosts
  it('are a configured table', async () => {
    const hosts = [{ name: 'video_host_1', aliases: ['our-tube'], hosts: ['tube.example.org'] }]
    const service = await startTestService({
      STREAMING_HOSTS: JSON.stringify(hosts),
    })
    try {
      const home = await createPublication(service)
      const story = uuidOf(
        await home.editor.post('/content', { content_type: 'article', title: 'x', urlname: 'x' }),
      )
      const list = `/content/${story}/media`
      const ours = { type: 'external', url_type: 'our-tube', url: 'https://tube.example.org/1' }
      // Sent as bytes: the client does not validate it against the OpenAPI document, which names the default hosts.
      const body = Buffer.from(JSON.stringify(ours))
      expectOk(
        await home.editor.send('POST', list, { body, headers: { 'Content-Type': 'application/json' } }),
      )
      expect(objectsOf(await home.reader.get(list))[0]).to.include({ url_type: 'video_host_1' })
      expectFaults(
        await home.editor.post(list, { type: 'external', url_type: 'youtube', url: 'https://youtube.com/1' }),
        'url_type',
      )
      expectFaults(
        await home.editor.post(list, {
          type: 'external',
          url_type: 'video_host_1',
          url: 'https://youtube.com/1',
        }),
        'url',
      )
    } finally {
      await service.stop()
    }
  })
})
