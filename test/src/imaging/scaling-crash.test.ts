/** A crash of the native library fails only the request for that image. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { imagingFixtures } from '@publishing-service/conformance'
import { familyOf } from '../bench/process-use.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import type { ApiResponse } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'

const largeImage = async (): Promise<Buffer> =>
  sharp(await imagingFixtures.photograph('hubble_deep_field.jpg'))
    .resize({ width: 4000, height: 4000, fit: 'fill', kernel: 'nearest' })
    .png({ compressionLevel: 6 })
    .toBuffer()

describe('a crash of a scaling process', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('fails one request with 503, and no other request', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'scaling-crash-'))
    const service = await startServiceProcess(directory, { IMAGING: 'sharp', SCALING_JOBS: '2' })
    try {
      const api = await adminApi(service)
      const small = Buffer.from(imagingFixtures.palettePng(40))
      const [one, other] = [
        await storeFile(api, { filename: 'large.png', mimetype: 'image/png', data: await largeImage() }),
        await storeFile(api, { filename: 'small.png', mimetype: 'image/png', data: small }),
      ]
      expect(await familyOf(service.pid)).to.have.length(1)
      /** Kills the process between the response to the small job and that to the large one; null if it was too late. */
      const crash = async (width: number): Promise<ApiResponse | null> => {
        const running = api.get(`${one.download}?w=${width}`)
        let isOver = false
        void running.finally(() => (isOver = true))
        let [, scaling] = await familyOf(service.pid)
        while (scaling === undefined) [, scaling] = await familyOf(service.pid)
        expect((await api.get(`${other.download}?w=20`)).status).to.equal(200)
        if (isOver) return null
        process.kill(scaling, 'SIGSEGV')
        const response = await running
        return response.status === 200 ? null : response
      }
      let failed: ApiResponse | null = null
      for (let width = 1800; failed === null; width -= 1) failed = await crash(width)
      expect(failed.status).to.equal(503)
      expect(failed.headers).to.have.property('retry-after')
      const again = await api.get(`${one.download}?w=1800`)
      expect(again.status).to.equal(200)
      expect(await sharp(again.bytes).metadata()).to.include({ width: 1800, height: 1800 })
      expect(service.defects()).to.deep.equal([])
      expect(await service.stop()).to.equal(0)
    } finally {
      await service.kill()
      await rm(directory, { recursive: true, force: true })
    }
  })
})
