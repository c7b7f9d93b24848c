/**
 * docs/behaviour/tags.md#tag-cloud: counts of live objects, filters, weights, at once and with the clock, on every
 * store.
 */
import { expect } from 'chai'
import { it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { expectOk, objectsOf, uuidOf } from '../harness/expect-response.js'
import { objectWriter } from '../harness/object-writer.js'
import { onEveryStore } from '../harness/on-every-store.js'

onEveryStore('tag cloud', {}, (place) => {
  const { published, location } = objectWriter(place)
  const tag = async (name: string, more: JsonObject = {}): Promise<string> =>
    uuidOf(
      await place.home.editor.post('/tags', {
        last_name_or_title: name,
        urlname: name.toLowerCase().replace('ä', 'ae'),
        ...more,
      }),
    )
  const attach = async (tagId: string, id: string, predicate = 'describes') =>
    expectOk(await place.home.editor.put(`/tags/${tagId}/${predicate}/${id}`, {}))

  it('returns uuid, url, title, urlname, count and weight, ordered by count, then title', async () => {
    const ids = [await tag('b'), await tag('Ä'), await tag('C'), await tag('unused')]
    const [b = '', a = '', c = ''] = ids
    for (const each of [b, a, c]) await attach(each, await published())
    for (let index = 0; index < 3; index += 1) await attach(c, await location())
    const row = (uuid: string, title: string, count: number) => ({
      uuid,
      url: `${place.home.url}/tags/${uuid}`,
      title,
      urlname: title.toLowerCase(),
      count,
      weight: count / 4,
    })
    expect(objectsOf(await place.home.reader.get('/tag_cloud'))).to.deep.equal([
      row(c, 'C', 4),
      { ...row(a, 'Ä', 1), urlname: 'ae' },
      row(b, 'b', 1),
    ])
  }).timeout(20_000)
})
