/** A copy whose process is killed, again and again, and what can be done with half a copy until it is whole. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { columnOf, expectOk } from '../harness/expect-answer.js'
import { expectRefusal, runAdmin, runService } from '../start-up/program.js'
import { apiOn } from './everything-served.js'
import { copy, copyBeside, copyUntil, fill, makePlace, serviceOn, type Kinds, type Place } from './places.js'
import { storesHeld } from './stores-held.js'

/** What has just been told when the process is killed, one run for each. */
const moments = [
  /^Copying [\d,]+ documents: /m,
  /^Copied [\d,]+ documents /m,
  /^Copied .* of file data /m,
  /^Compared [\d,]+ documents /m,
] as const
const sampled = 2

export const declareInterruptions = (first: Kinds, second: Kinds, objects: number): void => {
  describe(`storage copy to ${second.STORE} × ${second.BLOBS}, killed`, function () {
    this.timeout(300_000)
    let folder: DataFolder
    let original: Place
    let other: Place
    let half: Place
    let admin: string
    before(async () => {
      folder = await makeDataFolder()
      original = await makePlace(folder, 'original', first)
      other = await makePlace(folder, 'other', first)
      half = await makePlace(folder, 'copy', second)
      admin = (await fill(original, objects))[2].admin
    })
    after(() => folder.remove())

    it(`wherever it is${sampleTitle(sampled, moments.length)}`, async () => {
      for (const moment of sampleFrom(moments, sampled)) {
        const { code, error } = await copyUntil(moment, original, half)
        expect(code, error).to.equal(null)
      }
    })

    it('leaves stores that no service starts on, and no command works with', async () => {
      const words = /contain an incomplete copy of \S+ and \S+\. Run the copy command again/
      expectRefusal(await runService(half.environment).ended, 69, /^The service can’t start\.$/m, words)
      expectRefusal(await runAdmin(half.environment, 'key', 'list'), 69, /^Nothing was done\.$/m, words)
    })

    it('is not taken for a source, nor gone on with from another one', async () => {
      const further = await copy(half, other)
      expectRefusal(
        further,
        1,
        /^Nothing was copied\.\n {2}- --from, \S+: the source is itself an incomplete copy of /m,
      )
      const service = await serviceOn(other)
      await service.stop()
      expectRefusal(await copy(other, half), 1, /contains an incomplete copy of \S+original\S+ and/)
    })

    it('finds what was changed in the source meanwhile', async () => {
      const change = ['key', 'create', '--instance', '2', '--role', 'reader']
      expectRefusal(
        await copyBeside(/^Copied .* of file data /, change, original, half),
        1,
        /^The copy is incomplete\.\n {2}- the source has changed during the copy: the service’s keys, the service’s users\. Stop/m,
      )
    })

    it('goes on to its end, and is the same then, with what a service has changed in the source since', async () => {
      const service = await serviceOn(original)
      const api = apiOn(service.url, 2, admin)
      const [id] = columnOf(await api.get('/content?fields=uuid&rpp=1'))
      expectOk(await api.patch(`/content/${String(id)}`, { title: 'Changed meanwhile' }))
      await service.stop()
      const { code, out, error } = await copy(original, half)
      expect(code, error).to.equal(0)
      expect(JSON.parse(out)).to.include({ resumed: true, instances: 2 })
      expect(await storesHeld(half.environment, 2)).to.deep.equal(await storesHeld(original.environment, 2))
    })

    it('is an ordinary place from then on: services start on it, and nothing is copied into it', async () => {
      const service = await serviceOn(half)
      expectOk(await apiOn(service.url, 2, admin).get('/content'))
      await service.stop()
      expectRefusal(await copy(original, half), 1, /is not empty\. Choose other stores/)
    })
  })
}
