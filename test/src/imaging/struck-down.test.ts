/** A fault in the native library that scales costs the one who asked for that image, and nobody else. */
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { imagingFixtures } from '@publishing-service/conformance'
import { familyOf } from '../bench/process-use.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { storeFile } from '../harness/library.js'

const largePicture = async (): Promise<Buffer> =>
  sharp(await imagingFixtures.photograph('hubble_deep_field.jpg'))
    .resize({ width: 4000, height: 4000, fit: 'fill', kernel: 'nearest' })
    .png({ compressionLevel: 6 })
    .toBuffer()

describe('a process that scales and is struck down', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('costs one answer 503; others, the service and the next try go on', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'struck-down-'))
    const service = await startServiceProcess(directory, { IMAGING: 'sharp', SCALING_JOBS: '2' })
    try {
      const api = await adminApi(service)
      const small = Buffer.from(imagingFixtures.palettePng(40))
      const [one, other] = [
        await storeFile(api, { filename: 'large.png', mimetype: 'image/png', data: await largePicture() }),
        await storeFile(api, { filename: 'small.png', mimetype: 'image/png', data: small }),
      ]
      expect(await familyOf(service.pid)).to.have.length(1)
      const [running, beside] = [
        api.get(`${one.download}?w=1800`),
        (async () => {
          let [, scaling] = await familyOf(service.pid)
          while (scaling === undefined) [, scaling] = await familyOf(service.pid)
          const answer = await api.get(`${other.download}?w=20`)
          process.kill(scaling, 'SIGSEGV')
          return answer
        })(),
      ]
      expect((await beside).status).to.equal(200)
      const struck = await running
      expect(struck.status).to.equal(503)
      expect(struck.headers).to.have.property('retry-after')
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
