/** Exports over HTTP, which the service makes by itself (docs/behaviour/exports.md). */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeFilledFolder } from '../durability/data-folder.js'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { withDirectory } from '../start-up/program.js'

const begin = async (api: Api, body: JsonObject = {}): Promise<string> =>
  `/exports/${uuidOf(await api.post('/exports', body))}`

const read = async (api: Api, path: string): Promise<JsonObject> => expectOk(await api.get(path)).object

/** Waits until an export has ended, and returns it. */
const ended = async (api: Api, path: string): Promise<JsonObject> => {
  for (;;) {
    const found = await read(api, path)
    if (found['ended'] !== null) return found
    await setTimeout(50)
  }
}

describe('exports over HTTP', function () {
  this.timeout(120_000)
  after(killRemaining)

  it('have everything of the instance, which another service imports', () =>
    withDirectory(async (directory) => {
      const folder = await makeFilledFolder()
      const service = await startServiceProcess(folder.path)
      const api = await adminApi(service)
      const waiting = await begin(api)
      expect(await api.get(`${waiting}/download`))
        .to.have.property('status')
        .that.is.oneOf([200, 404])
      const path = await begin(api, { history: true })
      const found = await ended(api, path)
      expect(found).to.include({ state: 'finished', problem: null, without_data: 0, seconds_left: null })
      expect(found['documents']).to.be.above(10)
      expect(String(found['download_url'])).to.match(/\/exports\/[0-9a-f-]+\/download$/)

      const { status, bytes, headers } = await api.get(`${path}/download`)
      expect(status).to.equal(200)
      expect(bytes.length).to.equal(found['bytes'])
      expect(String(headers['content-disposition'])).to.match(/\.zip/)
      const part = await api.get(`${path}/download`, { Range: 'bytes=0-1' })
      expect([part.status, part.text]).to.deep.equal([206, 'PK'])

      const file = join(directory, 'export.zip')
      await writeFile(file, bytes)
      const other = await makeFilledFolder()
      const imported = await runInSeries({ DATA_DIR: other.path }, 'instance', 'import', file, '--json')
      expect(imported.code, imported.error).to.equal(0)
      expect(JSON.parse(imported.out)).to.include({ blobs: found['blobs'], documents: found['documents'] })

      expectOk(await api.delete(path))
      for (const gone of [path, `${path}/download`])
        expect(await api.get(gone)).to.have.property('status', 404)
      expect(service.defects()).to.deep.equal([])
      await service.stop()
      await folder.remove()
      await other.remove()
    }))

  it('bring objects back, into the instance that they are of', async () => {
    const folder = await makeFilledFolder()
    const service = await startServiceProcess(folder.path)
    const api = await adminApi(service)
    const article = { content_type: 'article', title: 'Before', urlname: 'exported' }
    const [wanted, other] = [
      uuidOf(await api.post('/content', article)),
      uuidOf(await api.post('/content', { ...article, urlname: 'other' })),
    ]
    const path = await begin(api)
    await ended(api, path)
    const { bytes } = await api.get(`${path}/download`)
    const { id: file_uuid } = await storeFile(api, {
      filename: 'export.zip',
      mimetype: 'application/zip',
      data: bytes,
    })
    for (const id of [wanted, other]) expectOk(await api.patch(`/content/${id}`, { title: 'After' }))
    const options = { only: [`content/${wanted}`] }
    const importing = uuidOf(
      await api.post('/imports', { kind: 'bundle', file_uuid, replace: true, options }),
    )
    const found = await ended(api, `/imports/${importing}`)
    expect(found).to.include({ state: 'finished', problem: null, done: 1 })
    expect(found['counts']).to.include({ replaced: 1, refused: 0 })
    expect(await read(api, `/content/${wanted}`)).to.include({ title: 'Before' })
    expect(await read(api, `/content/${other}`)).to.include({ title: 'After' })
    const broken = await storeFile(api, { filename: 'cut.zip', data: bytes.subarray(0, bytes.length / 2) })
    const cut = uuidOf(await api.post('/imports', { kind: 'bundle', file_uuid: broken.id }))
    expect(await ended(api, `/imports/${cut}`)).to.include({ state: 'failed' })
    expect(service.defects()).to.deep.equal([])
    await service.stop()
    await folder.remove()
  })

  it('are made after a kill', async () => {
    const folder = await makeFilledFolder()
    let service = await startServiceProcess(folder.path)
    let api = await adminApi(service)
    const paths: string[] = []
    for (let killed = 0; killed < 2; killed += 1) {
      paths.push(await begin(api))
      await setTimeout(Math.random() * 200)
      await service.kill()
      service = await startServiceProcess(folder.path)
      api = await adminApi(service)
    }
    for (const path of paths) {
      const found = await ended(api, path)
      expect(found).to.include({ state: 'finished', problem: null })
      expect((await api.get(`${path}/download`)).bytes.length).to.equal(found['bytes'])
    }
    expect(service.defects()).to.deep.equal([])
    await service.stop()
    await folder.remove()
  })
})
