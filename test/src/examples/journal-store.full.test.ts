/**
 * The service on the journal store of docs/examples/journal-store, which STORE names as a package: it serves
 * requests, several processes share one journal, and acknowledged data survives a crash.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { describeRaces } from '../durability/concurrent-writes.js'
import { seededRandom } from '../durability/random.js'
import {
  adminApi,
  adminOn,
  fetchToken,
  killRemaining,
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import { walk } from '../durability/written-objects.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi } from '../harness/http-client.js'
import { createWriters, type ServiceClient } from '../chaos/writers.js'

const journalOf = (folder: DataFolder): Environment => ({
  STORE: 'package:journal-store',
  JOURNAL_FILE: join(folder.path, 'documents.jsonl'),
})

const startOn = (folder: DataFolder): Promise<ServiceProcess> =>
  startServiceProcess(folder.path, journalOf(folder))

describe('a service on the journal example', function () {
  this.timeout(300_000)
  let folder: DataFolder
  before(async () => {
    folder = await makeDataFolder()
  })
  after(killRemaining)
  after(() => folder.remove())

  it('serves its sample from the journal only', async () => {
    const service = await startOn(folder)
    const api = await adminApi(service)
    expect((await walk(api, 'content', 'title')).length).to.be.above(5)
    expect(expectOk(await api.get('/settings')).object['title']).to.equal('The Long Exposure')
    const journal = await readFile(join(folder.path, 'documents.jsonl'), 'utf8')
    expect(journal).to.include('Three Photographs of Far Away')
    expect(await service.stop()).to.equal(0)
  })

  it('accepts a key of a concurrent admin command immediately', async () => {
    const service = await startOn(folder)
    const admin = adminOn(folder.path, journalOf(folder))
    const issued = (await admin('key', 'create', '--instance', '1', '--role', 'editor')) as Readonly<
      Record<'api_key' | 'api_secret', string>
    >
    const token = await fetchToken(service.url, { key: issued.api_key, secret: issued.api_secret })
    expectOk(await createApi(`${service.url}/1`, token).get('/content'))
    expect(await service.stop()).to.equal(0)
  })

  it('loses no acknowledged data when it is killed', async () => {
    let service = await startOn(folder)
    const clientOf = async (to: ServiceProcess): Promise<ServiceClient> => ({
      url: to.url,
      api: await adminApi(to),
    })
    const writers = await createWriters(await clientOf(service), seededRandom(Date.now() % 1_000_000))
    for (let round = 1; round <= 3; round += 1) {
      const writing = writers.run([await clientOf(service)])
      await waitFor('some writes', async () => (writers.acknowledged() > round * 15 ? true : null))
      await service.kill()
      expect((await writing).flatMap(({ faults }) => faults)).to.deep.equal([])
      service = await startOn(folder)
      expect(await writers.verify(await clientOf(service))).to.deep.equal([])
    }
    expect(service.defects()).to.deep.equal([])
    expect(await service.stop()).to.equal(0)
  })
})

describeRaces('two processes on one journal', async () => {
  const folder = await makeDataFolder()
  const services = [await startOn(folder), await startOn(folder)] as const
  return {
    clients: [await adminApi(services[0]), await adminApi(services[1])],
    close: async () => {
      for (const service of services) expect(service.defects()).to.deep.equal([])
      await killRemaining()
      await folder.remove()
    },
  }
})
