/** Workers on a database that notifies nobody: what one has acknowledged, the other serves, although both cache responses. */
import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { fetchToken, killRemaining, type ServiceProcess } from '../durability/service-process.js'
import { createArticle } from '../durability/written-objects.js'
import { expectOk } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { startPostgresql, type PostgresqlServer } from '../../servers/dist/index.js'
import { childrenOf, clientsOfWorkers, startWorkers, untilListening } from './worker-processes.js'

const writes = Number(process.env['STALE_READS'] ?? 40)

describe('workers on PostgreSQL without notifications', function () {
  this.timeout(180_000)
  let postgresql: PostgresqlServer
  let folder: DataFolder
  let service: ServiceProcess
  before(async () => {
    ;[postgresql, folder] = await Promise.all([startPostgresql(), makeDataFolder()])
    await postgresql.createDatabase('workers')
    service = await startWorkers(folder.path, 2, {
      STORE: 'postgresql',
      POSTGRESQL_URL: postgresql.url('workers'),
      POSTGRESQL_NOTIFY: 'false',
    })
  })
  after(async () => {
    await killRemaining()
    await postgresql.dispose()
    await folder.remove()
  })

  const titleOf = async (api: Api, id: string): Promise<unknown> =>
    expectOk(await api.get(`/content/${id}`)).object['title']

  const expectFresh = async (): Promise<void> => {
    const [one, other] = await clientsOfWorkers(service, await fetchToken(service.url))
    const id = randomUUID()
    await createArticle(one, id, '0')
    let stale = 0
    for (let step = 1; step <= writes; step += 1) {
      const [writer, reader] = step % 2 === 0 ? [one, other] : [other, one]
      // It is cached before the write.
      await titleOf(reader, id)
      expectOk(await writer.patch(`/content/${id}`, { title: String(step) }))
      if ((await titleOf(reader, id)) !== String(step)) stale += 1
    }
    expect(stale).to.equal(0)
  }

  it('serve what another one has acknowledged', () => expectFresh())

  it('do so after one of them has been replaced', async () => {
    const [one = 0] = await childrenOf(service.pid)
    process.kill(one, 'SIGKILL')
    await untilListening(service, 3)
    await expectFresh()
    expect(service.defects()).to.deep.equal([])
  })
})
