/** A copy whose process is killed repeatedly, and the use of the incomplete copy. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { runInSeries, startInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { columnOf, expectOk } from '../harness/expect-response.js'
import { expectFailure } from '../start-up/program.js'
import { apiOn } from './all-responses.js'
import {
  copy,
  copyWithCommandAt,
  copyAndKillAt,
  fill,
  makeSide,
  serviceOn,
  type Kinds,
  type CopySide,
} from './copy-sides.js'
import { readStoreContents } from './store-contents.js'

/** The output after which the process is killed, one run for each. */
const triggers = [
  /^Copying [\d,]+ documents: /m,
  /^Copied [\d,]+ documents /m,
  /^Copied .* of file data /m,
  /^Compared [\d,]+ documents /m,
] as const
const sampled = 1

export const describeInterruptions = (first: Kinds, second: Kinds, objects: number): void => {
  describe(`storage copy to ${second.STORE} × ${second.BLOBS}, killed`, function () {
    this.timeout(300_000)
    let folder: DataFolder
    let original: CopySide
    let other: CopySide
    let half: CopySide
    let admin: string
    before(async () => {
      folder = await makeDataFolder()
      original = await makeSide(folder, 'original', first)
      other = await makeSide(folder, 'other', first)
      half = await makeSide(folder, 'copy', second)
      admin = (await fill(original, objects))[2].admin
    })
    after(() => folder.remove())

    it(`at each of these steps${sampleTitle(sampled, triggers.length)}`, async () => {
      for (const trigger of sampleFrom(triggers, sampled)) {
        const { code, error } = await copyAndKillAt(trigger, original, half)
        expect(code, error).to.equal(null)
      }
    })

    it('leaves stores that services and commands reject', async () => {
      const words = /contain an incomplete copy of \S+ and \S+\. Run the copy command again/
      expectFailure(await startInSeries(half.environment), 69, /^The service can’t start\.$/m, words)
      expectFailure(await runInSeries(half.environment, 'key', 'list'), 69, /^Nothing was done\.$/m, words)
    })

    it('is rejected as a source, and cannot be continued from another source', async () => {
      const further = await copy(half, other)
      expectFailure(
        further,
        1,
        /^Nothing was copied\.\n {2}- --from, \S+: the source is itself an incomplete copy of /m,
      )
      const service = await serviceOn(other)
      await service.stop()
      expectFailure(await copy(other, half), 1, /contains an incomplete copy of \S+original\S+ and/)
    })

    it('detects changes in the source', async () => {
      const change = ['key', 'create', '--instance', '2', '--role', 'reader']
      expectFailure(
        await copyWithCommandAt(/^Copied .* of file data /, change, original, half),
        1,
        /^The copy is incomplete\.\n {2}- the source has changed during the copy: the service’s keys, the service’s users, the service’s audit\. Stop/m,
      )
    })

    it('can be completed, and then contains later changes of the source', async () => {
      const service = await serviceOn(original)
      const api = apiOn(service.url, 2, admin)
      const [id] = columnOf(await api.get('/content?fields=uuid&rpp=1'))
      expectOk(await api.patch(`/content/${String(id)}`, { title: 'Changed meanwhile' }))
      await service.stop()
      const { code, out, error } = await copy(original, half)
      expect(code, error).to.equal(0)
      expect(JSON.parse(out)).to.include({ resumed: true, instances: 2 })
      expect(await readStoreContents(half.environment, 2)).to.deep.equal(
        await readStoreContents(original.environment, 2),
      )
    })

    it('is usable after completion: services start on it, and further copies into it are rejected', async () => {
      const service = await serviceOn(half)
      expectOk(await apiOn(service.url, 2, admin).get('/content'))
      await service.stop()
      expectFailure(await copy(original, half), 1, /is not empty\. Choose other stores/)
    })
  })
}
