/** docs/behaviour/slots-and-media.md, on every store: the three types of media. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { imagingFixtures } from '@publishing-service/conformance'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectFaults, expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { storeAudio, storeFile, storeImage } from '../harness/stored-files.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { combinations, startTestService, type TestService } from '../harness/start-test-service.js'

const a = randomUUID()

for (const { name, environment } of combinations)
  describe(`media, ${name}`, () => {
    let service: TestService
    let home: Publication
    let story: string
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
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
