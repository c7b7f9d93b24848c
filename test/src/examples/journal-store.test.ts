/**
 * The whole service on the store of docs/examples/journal-store, taken in by that example's own programs: it serves,
 * several processes share one journal, and what they acknowledged outlives them.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { declareRaces } from '../durability/declare-races.js'
import { seededRandom } from '../durability/random.js'
import {
  adminApi,
  adminOn,
  fetchToken,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from '../durability/service-process.js'
import { until } from '../durability/until.js'
import { createWriters } from '../durability/writers.js'
import { createArticleWithSlot, walk } from '../durability/written-things.js'
import { expectOk } from '../harness/expect-answer.js'
import { createApi } from '../harness/http-client.js'

const program = (name: string): string =>
  fileURLToPath(new URL(`../../../docs/examples/journal-store/dist/${name}.js`, import.meta.url))

const startOn = (folder: DataFolder): Promise<ServiceProcess> =>
  startServiceProcess(folder.path, {}, program('start'))

describe('a service on the journal of docs/examples', function () {
  this.timeout(60_000)
  let folder: DataFolder
  before(async () => {
    folder = await makeDataFolder()
  })
  after(killRemaining)
  after(() => folder.remove())

  it('serves its sample from the journal, and nothing from another store', async () => {
    const service = await startOn(folder)
    const api = await adminApi(service)
    expect((await walk(api, 'content', 'title')).length).to.be.above(5)
    expect(expectOk(await api.get('/settings')).object['title']).to.equal('Demo')
    const journal = await readFile(join(folder.path, 'documents.jsonl'), 'utf8')
    expect(journal).to.include('Three Photographs of Far Away')
    expect(await service.stop()).to.equal(0)
  })

  it('takes a key of its own admin command at once, while it runs', async () => {
    const service = await startOn(folder)
    const admin = adminOn(folder.path, {}, program('admin'))
    const issued = (await admin('key', 'create', '--instance', '1', '--role', 'editor')) as Readonly<
      Record<'api_key' | 'api_secret', string>
    >
    const token = await fetchToken(service.url, { key: issued.api_key, secret: issued.api_secret })
    expectOk(await createApi(`${service.url}/1`, token).get('/content'))
    expect(await service.stop()).to.equal(0)
  })

  it('loses nothing that it has acknowledged when it is killed', async () => {
    let service = await startOn(folder)
    const article = randomUUID()
    const slot = await createArticleWithSlot(await adminApi(service), article)
    const writers = createWriters(seededRandom(Date.now() % 1_000_000), { article, slot })
    for (let round = 1; round <= 3; round += 1) {
      const writing = writers.run(await adminApi(service))
      await until('some writes', async () => (writers.acknowledged() > round * 15 ? true : null))
      await service.kill()
      await writing
      service = await startOn(folder)
      await writers.verify(await adminApi(service))
    }
    expect(service.defects()).to.deep.equal([])
    expect(await service.stop()).to.equal(0)
  })
})

declareRaces('two processes on one journal', async () => {
  const folder = await makeDataFolder()
  const services = [await startOn(folder), await startOn(folder)] as const
  return {
    ways: [await adminApi(services[0]), await adminApi(services[1])],
    close: async () => {
      for (const service of services) expect(service.defects()).to.deep.equal([])
      await killRemaining()
      await folder.remove()
    },
  }
})
