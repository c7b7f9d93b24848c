/**
 * Services behind the nginx of docs/run-in-production.md are restarted one after the other, while clients read, write and upload:
 * no request fails, and no acknowledged write is lost.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { killsOf } from '@publishing-service/conformance'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import {
  fetchToken,
  killRemaining,
  startServiceProcess,
  type ServiceProcess,
} from '../durability/service-process.js'
import { waitFor } from '../durability/wait-for.js'
import {
  articleWith,
  changeArticle,
  createArticle,
  putFile,
  readArticle,
  readFile,
  sha256Of,
  uploadFile,
} from '../durability/written-objects.js'
import { startDocumentedNginx } from '../documentation/documented-nginx.js'
import { uuidOf } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import {
  listens,
  startPostgresql,
  type PostgresqlServer,
  type ServerProcess,
} from '../../servers/dist/index.js'

/** KILLS says how many, as for other tests that end processes. */
const restarts = killsOf(4)
const clientCount = 10
/** Milliseconds between two requests of a client: the machine also starts services. */
const clientPause = 20
const uploadSize = 60_000

/**
 * A port that no outgoing connection gets while no service listens on it: the systems take the ports of these from 32768 on.
 */
const lowPort = async (): Promise<number> => {
  for (;;) {
    const port = 10_000 + (randomBytes(2).readUInt16BE() % 20_000)
    if (!(await listens(`127.0.0.1:${port}`))) return port
  }
}

/** A client with an article and a file of its own, which remembers what was acknowledged. */
const createClient = async (api: Api) => {
  const article = randomUUID()
  const file = randomUUID()
  let count = 0
  let answered = 0
  const failures: string[] = []
  const created: string[] = []
  let word = 'begin'
  let sha256: string | null = null
  await createArticle(api, article, word)
  await putFile(api, file, 'upload')
  const steps = [
    async () => expect(await readArticle(api, article)).to.equal(word),
    async () => {
      const next = `word${count}`
      await changeArticle(api, article, next)
      word = next
    },
    async () => {
      const value = { content_type: 'article', urlname: randomUUID(), ...articleWith('new') }
      created.push(uuidOf(await api.post('/content', value)))
    },
    async () => {
      const data = randomBytes(uploadSize)
      await uploadFile(api, file, data)
      sha256 = sha256Of(data)
    },
  ]
  return {
    answered: () => answered,
    failures: (): readonly string[] => failures,
    run: async (isOver: () => boolean): Promise<void> => {
      for (; !isOver(); count += 1) {
        try {
          await steps[count % steps.length]?.()
          answered += 1
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error))
        }
        await setTimeout(clientPause)
      }
    },
    /** What a service has of it is what was acknowledged. */
    verify: async (reader: Api): Promise<void> => {
      expect(await readArticle(reader, article)).to.equal(word)
      expect(await readFile(reader, file)).to.deep.equal({ title: 'upload', sha256 })
      for (const id of created) expect(await readArticle(reader, id), id).to.equal('new')
    },
  }
}

type Running = { readonly port: number; readonly service: ServiceProcess }

describe('services behind the documented nginx', function () {
  this.timeout(900_000)
  let postgresql: PostgresqlServer
  let nginx: ServerProcess
  let folder: DataFolder
  let running: Running[] = []
  let freePort: number
  let environment: Readonly<Record<string, string>>

  const start = async (port: number): Promise<void> => {
    const service = await startServiceProcess(folder.path, { ...environment, PORT: `${port}` })
    const health = createApi(service.url)
    await waitFor('ready', async () => ((await health.get('/health/ready')).status === 200 ? true : null))
    running.push({ port, service })
  }
  /** Stops the one that has run longest, as a supervisor does, and returns its port. */
  const stopOldest = async (): Promise<number> => {
    const [oldest, ...others] = running
    if (oldest === undefined) throw new Error('no service runs')
    running = others
    expect(await oldest.service.stop('SIGTERM')).to.equal(0)
    expect(oldest.service.defects()).to.deep.equal([])
    return oldest.port
  }

  before(async () => {
    ;[postgresql, folder] = await Promise.all([startPostgresql(), makeDataFolder()])
    await postgresql.createDatabase('restarts')
    environment = {
      STORE: 'postgresql',
      BLOBS: 'filesystem',
      POSTGRESQL_URL: postgresql.url('restarts'),
      TRUST_PROXY: 'true',
    }
    const ports = [await lowPort(), await lowPort(), await lowPort()] as const
    await start(ports[0])
    await start(ports[1])
    freePort = ports[2]
    nginx = await startDocumentedNginx(ports.map((port) => `127.0.0.1:${port}`))
  })
  after(async () => {
    await killRemaining()
    await Promise.all([nginx.dispose(), postgresql.dispose()])
    await folder.remove()
  })

  it(`are restarted one after the other, ${restarts} times: no request fails, no write is lost`, async () => {
    const url = `http://${nginx.address}`
    const token = await fetchToken(url)
    const clients = await Promise.all(
      Array.from({ length: clientCount }, () => createClient(createApi(`${url}/1`, token))),
    )
    const answered = (): number => clients.reduce((sum, client) => sum + client.answered(), 0)
    let isOver = false
    const load = Promise.all(clients.map((client) => client.run(() => isOver)))
    const someMore = async (): Promise<void> => {
      const enough = answered() + 5 * clientCount
      await waitFor('requests between two restarts', async () => (answered() > enough ? true : null))
    }
    await someMore()
    for (let restart = 0; restart < restarts; restart += 1) {
      // At its own port, so that one service is left meanwhile, or at a free one before the old one stops.
      if (restart % 2 === 0) await start(await stopOldest())
      else {
        await start(freePort)
        freePort = await stopOldest()
      }
      await someMore()
    }
    isOver = true
    await load
    expect(clients.flatMap((client) => client.failures())).to.deep.equal([])
    const [service] = running.map((each) => each.service)
    if (service === undefined) throw new Error('no service runs')
    for (const client of clients) await client.verify(createApi(`${service.url}/1`, token))
  })
})
