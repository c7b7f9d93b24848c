/** The filter `files` (docs/behaviour/collections.md#files-filter). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@publishing-service/domain/json'
import { columnOf, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'
import { storeImage } from '../harness/stored-files.js'

onEveryStore('filter by used files', { directory_addon: true }, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<string> =>
    uuidOf(await place.home.admin.post(`/${collection}`, { title: 'x', urlname: randomUUID(), ...body }))
  const using = async (collection: string, ...files: readonly string[]): Promise<readonly unknown[]> =>
    columnOf(await place.home.reader.get(`/${collection}?files=${files.join('_')}&fields=uuid`, fresh))
  const image = async (): Promise<string> => (await storeImage(place.home.editor)).id

  it('selects objects by the images of their attributes', async () => {
    const [file, other] = [await image(), await image()]
    const content = await write('content', { content_type: 'article', teaser_image_uuid: file })
    const both = await write('content', {
      content_type: 'event',
      dtstart: '2026-04-01',
      teaser_image_uuid: other,
      header_image_uuid: file,
    })
    const section = await write('sections', { feature_image_uuid: file })
    const location = await write('locations', { thumb_uuid: file })
    const tag = uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: 'x',
        urlname: 'x',
        feature_image_uuid: file,
      }),
    )
    expect(await using('content', file)).to.have.members([content, both])
    expect(await using('content', other)).to.deep.equal([both])
    expect(await using('events', file, other)).to.deep.equal([both])
    expect(await using('sections', file)).to.deep.equal([section])
    expect(await using('locations', file)).to.deep.equal([location])
    expect(await using('tags', file)).to.deep.equal([tag])
    expect(await using('tags', other)).to.deep.equal([])
    expectOk(await place.home.editor.patch(`/content/${both}`, { header_image_uuid: null }))
    expect(await using('content', file)).to.deep.equal([content])
  })

  it('selects content by the media of its slots, listings by their images, and homepages by their stories', async () => {
    const { admin } = place.home
    const [file, slot] = [await image(), randomUUID()]
    const content = await write('content', { content_type: 'article', content: `<slot id="${slot}"/>` })
    expect(await using('content', file)).to.deep.equal([])
    const media = `/content/${content}/slots/${slot}/media`
    expectOk(await admin.put(media, { items: [{ type: 'file', image_uuid: file }] }))
    expect(await using('content', file)).to.deep.equal([content])
    expectOk(await admin.put(media, { items: [] }))
    expect(await using('content', file)).to.deep.equal([])

    const location = await write('locations', { is_listing: true })
    expectOk(await admin.put(`/locations/${location}/listing_images`, { items: [{ uuid: file }] }))
    expect(await using('locations', file)).to.deep.equal([location])

    const [homepage] = columnOf(await admin.get('/homepage?fields=uuid'))
    expectOk(
      await admin.put(`/homepage/${String(homepage)}/headline_stories`, {
        items: [{ type: 'link', title: 'x', link_url: 'https://www.example.org/', image_uuid: file }],
      }),
    )
    expect(await using('homepage', file)).to.deep.equal([homepage])
  })

  it('is a fault for a public_user, and for a text that is no UUID', async () => {
    const { visitor, reader } = place.home
    expectFaults(await visitor.get(`/content?files=${randomUUID()}`), 'files')
    expectFaults(await reader.get('/content?files=x'), 'files')
    expect(await using('content', randomUUID())).to.deep.equal([])
  })
})
