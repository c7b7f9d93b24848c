/** What a clock that is set back and forth does not change (docs/run-in-production.md#the-clock), on every store. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectOk, objectsOf, expectStatus, uuidOf } from '../harness/expect-response.js'
import { fresh, noon, onEveryStore } from '../harness/on-every-store.js'

const minute = 60_000

onEveryStore('a clock that is set back and forth', {}, (place) => {
  const article = (urlname: string, title: string): JsonObject => ({
    content_type: 'article',
    title,
    urlname,
  })
  const titleOf = async (path: string): Promise<Json | undefined> =>
    expectOk(await place.home.editor.get(path, fresh)).object['title']
  const numbersOf = async (path: string): Promise<readonly Json[]> =>
    objectsOf(await place.home.editor.get(`${path}/versions`, fresh)).map(({ version = null }) => version)
  const patch = async (path: string, title: string): Promise<void> => {
    expectOk(await place.home.editor.patch(path, { title }))
  }
  const feed = async (since: string): Promise<{ readonly kinds: readonly Json[]; readonly next: string }> => {
    const { items, next } = expectOk(
      await place.home.editor.get(`/changes?types=content${since}`, fresh),
    ).object
    const kinds = Array.isArray(items) ? items.map((item) => (item as JsonObject)['kind'] ?? null) : []
    return { kinds, next: String(next) }
  }

  for (const step of [10 * minute, 120 * minute])
    it(`by ${step / minute} minutes: versions, the feed and the trash have all that was written`, async () => {
      const { editor } = place.home
      const { clock } = place.service
      const { next } = await feed('')
      const path = `/content/${uuidOf(await editor.post('/content', article('a', 'One')))}`
      const id = path.split('/').at(-1) ?? ''
      clock.set(noon + minute)
      await patch(path, 'Two')
      // Before the creation of the object.
      clock.set(noon - step)
      await patch(path, 'Three')
      clock.set(noon + 2 * minute)
      await patch(path, 'Four')
      clock.set(noon + 2 * minute + step)
      await patch(path, 'Five')
      clock.set(noon + 3 * minute)
      await patch(path, 'Six')
      expect(await numbersOf(path)).to.deep.equal([6, 5, 4, 3, 2, 1])
      const titles = ['One', 'Two', 'Three', 'Four', 'Five', 'Six']
      for (const [index, title] of titles.entries())
        expect(await titleOf(`${path}/versions/${index + 1}`)).to.equal(title)
      expectOk(await editor.post(`${path}/versions/3/restore`, {}))
      expect(await titleOf(path)).to.equal('Three')
      const seen = await feed(`&since=${next}`)
      expect(seen.kinds).to.deep.equal(['created', ...Array.from({ length: 6 }, () => 'updated')])
      expect((await feed('')).kinds).to.deep.equal(seen.kinds)

      // It is deleted, created again and deleted with a clock that is behind: the trash has the last one.
      expectOk(await editor.delete(path))
      clock.set(noon + 4 * minute - step)
      expectOk(await editor.put(path, article('a', 'Again')))
      await patch(path, 'Once more')
      expect(await numbersOf(path)).to.deep.equal([2, 1])
      clock.set(noon + 5 * minute)
      await patch(path, 'At last')
      expect(await numbersOf(path)).to.deep.equal([3, 2, 1])
      expect(await titleOf(`${path}/versions/1`)).to.equal('Again')
      clock.set(noon + 6 * minute - step)
      expectOk(await editor.delete(path))
      expectStatus(await editor.get(path, fresh), 404)
      clock.set(noon + 7 * minute)
      expectOk(await editor.post(`/trash/content/${id}/restore`, {}))
      expect(await titleOf(path)).to.equal('At last')
      expect((await numbersOf(path)).at(-1)).to.equal(1)
      expect(await titleOf(`${path}/versions/1`)).to.equal('Again')
      const { kinds } = await feed(`&since=${seen.next}`)
      expect(kinds).to.deep.equal(['removed', 'created', 'updated', 'updated', 'removed', 'created'])
    })
})
