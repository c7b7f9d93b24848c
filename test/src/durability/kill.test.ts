/**
 * SIGKILL at any moment, under writes: nothing that was acknowledged is lost, nothing is half written, the stores
 * open again, and what was left over is collected.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createApi, type Api } from '../harness/http-client.js'
import { incomingFiles, makeDataFolder, storedUploads, type DataFolder } from './data-folder.js'
import { seededRandom } from './random.js'
import {
  fetchToken,
  killRemaining,
  killWhileStarting,
  startServiceProcess,
  type ServiceProcess,
} from './service-process.js'
import { until } from './until.js'
import { createWriters } from './writers.js'
import { createArticleWithSlot, walk } from './written-things.js'

const rounds = 20
const seed = Number(process.env['DURABILITY_SEED'] ?? Date.now() % 1_000_000)

const say = (words: string): void => void process.stdout.write(`      ${words}\n`)

describe('a service that is killed', function () {
  this.timeout(120_000)
  let folder: DataFolder
  before(async () => {
    folder = await makeDataFolder()
  })
  after(killRemaining)
  after(() => folder.remove())

  it('in the middle of its first start has its whole sample after the next', async () => {
    const fresh = await makeDataFolder()
    const random = seededRandom(seed)
    for (let round = 0; round < 4; round += 1) await killWhileStarting(fresh.path, 250 + random.below(500))
    const service = await startServiceProcess(fresh.path)
    const api = createApi(`${service.url}/1`, await fetchToken(service.url))
    expect((await api.get('/settings/title')).body).to.equal('Demo')
    const stories = await walk(api, 'content', 'title')
    await service.stop()
    const untouched = await makeDataFolder()
    const other = await startServiceProcess(untouched.path)
    const there = createApi(`${other.url}/1`, await fetchToken(other.url))
    expect(stories).to.deep.equal(await walk(there, 'content', 'title'))
    await other.stop()
    await fresh.remove()
    await untouched.remove()
  })

  it(`${rounds} times under writes loses no acknowledged write (DURABILITY_SEED=${seed} for the same chances)`, async () => {
    const random = seededRandom(seed)
    let service: ServiceProcess = await startServiceProcess(folder.path)
    const token = await fetchToken(service.url)
    const apiOf = ({ url }: ServiceProcess): Api => createApi(`${url}/1`, token)
    const sample = await walk(apiOf(service), 'content', 'title')
    const article = randomUUID()
    const slot = await createArticleWithSlot(apiOf(service), article)
    const writers = createWriters(random, { article, slot })
    let uploadsLeft = 0
    for (let round = 1; round <= rounds; round += 1) {
      const writing = writers.run(apiOf(service))
      await Promise.race([writing, setTimeout(30 + random.below(400))])
      await service.kill()
      await writing
      expect(service.defects()).to.deep.equal([])
      uploadsLeft += (await incomingFiles(folder)).length
      service = await startServiceProcess(folder.path)
      await writers.verify(apiOf(service))
      if (round % 5 === 0) say(`${round} kills, ${writers.acknowledged()} acknowledged writes, none lost`)
    }
    say(`${uploadsLeft} uploads were cut short`)
    expect(writers.acknowledged()).to.be.above(rounds * 10)
    const expected = [...sample, article, ...writers.articles()].toSorted()
    for (const order of ['title', 'urlname', 'created', 'modified.desc'])
      expect((await walk(apiOf(service), 'content', order)).toSorted(), order).to.deep.equal(expected)
    // A left-over as a crash between blob and metadata makes it, should chance have made none.
    const upload = join('1', randomUUID(), 'cut-short')
    await mkdir(join(folder.path, 'blobs', 'blobs', upload), { recursive: true })
    await writeFile(join(folder.path, 'blobs', 'blobs', upload, 'original@'), 'left over')
    await service.kill()
    expect(await storedUploads(folder)).to.include(upload)

    service = await startServiceProcess(folder.path)
    const api = apiOf(service)
    const files = await walk(api, 'files', 'created')
    const withData = new Set<string>()
    for (const id of files)
      if ((await api.get(`/files/${id}`)).object['download_url'] !== null) withData.add(id)
    await until('left-overs are collected', async () => {
      const stored = await storedUploads(folder)
      return stored.length === withData.size ? stored : null
    })
    const stored = await storedUploads(folder)
    expect(new Set(stored.map((path) => path.split('/')[1]))).to.deep.equal(withData)
    expect(await incomingFiles(folder)).to.deep.equal([])
    await writers.verify(api)
    expect(await service.stop()).to.equal(0)
    expect(service.defects()).to.deep.equal([])
  })
})
