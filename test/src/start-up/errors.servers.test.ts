/**
 * Failed starts on MongoDB and MinIO: within ten seconds one message that names the variable and contains no
 * secret.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { startService } from '@publishing-service/composition-root'
import { createMinioUser, startServers, type Servers } from '../../servers/dist/index.js'
import { configurationOf } from '../harness/start-test-service.js'
import { expectFailure, runService, withDirectory, type Environment } from './program.js'

/** A port without a listener. */
const closedPort = async (): Promise<number> => {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  listener.close()
  await once(listener, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('failed starts on servers', function () {
  this.timeout(60_000)
  let servers: Servers
  let minio: Environment
  before(async () => {
    servers = await startServers()
    minio = {
      BLOBS: 'minio',
      MINIO_URL: servers.minio.url(),
      MINIO_ACCESS_KEY: servers.minio.accessKey,
      MINIO_SECRET_KEY: servers.minio.secretKey,
      MINIO_BUCKET: `bucket-${randomUUID()}`,
    }
  })
  after(() => servers.stop())

  const onMongodb = (MONGODB_URL: string): Environment => ({ STORE: 'mongodb', BLOBS: 'memory', MONGODB_URL })

  /** Starts in this process. The secret in all environments is hidden-word, or the server’s secret. */
  const expectRejected = async (environment: Environment, ...words: readonly RegExp[]): Promise<void> => {
    const beginRequest = performance.now()
    const configuration = configurationOf({ PORT: '0', LOG_LEVEL: 'error', STORE: 'memory', ...environment })
    const rejected: unknown = await startService(configuration).then(
      async (service) => service.stop(),
      (error: unknown) => error,
    )
    expect(performance.now() - beginRequest, 'milliseconds until it gave up').to.be.below(10_000)
    expect(rejected).to.be.instanceOf(Error)
    const text = String(rejected)
    for (const word of words) expect(text).to.match(word)
    expect(text).not.to.match(/\n|hidden-word/)
    expect(text).not.to.include(servers.minio.secretKey)
  }

  // What else the adapters reject at the start is tested with them: each such message is passed on like these.
  it('MONGODB_URL rejects an unknown host and a port without a listener', async () => {
    const named = /\(see MONGODB_URL\)$/
    await expectRejected(
      onMongodb('mongodb://user:hidden-word@no-such-host.invalid/x'),
      /on mongodb:\/\/no-such-host\.invalid\/x: no server .* was found \(.*no-such-host\.invalid/,
      named,
    )
    const port = await closedPort()
    await expectRejected(
      onMongodb(`mongodb://user:hidden-word@127.0.0.1:${port}/x`),
      new RegExp(`was found \\(.*ECONNREFUSED 127\\.0\\.0\\.1:${port}`),
      named,
    )
  })

  it('MINIO_URL rejects an unknown host, a port without a listener, and another server', async () => {
    const named = /\(see MINIO_URL\)$/
    await expectRejected(
      { ...minio, MINIO_URL: 'http://no-such-host.invalid' },
      /no-such-host\.invalid/,
      named,
    )
    const port = await closedPort()
    await expectRejected({ ...minio, MINIO_URL: `http://127.0.0.1:${port}` }, /ECONNREFUSED/, named)
  })

  it('MINIO_ACCESS_KEY and MINIO_SECRET_KEY reject wrong keys', async () => {
    await expectRejected(
      { ...minio, MINIO_ACCESS_KEY: 'nobody' },
      /the access key does not exist on the server \(see MINIO_ACCESS_KEY\)$/,
    )
    await expectRejected(
      { ...minio, MINIO_SECRET_KEY: 'hidden-word' },
      /the secret key does not belong to the access key \(see MINIO_SECRET_KEY\)$/,
    )
  })

  it('MINIO_BUCKET rejects a bucket of another account', async () => {
    const { accessKey, secretKey } = await createMinioUser(servers.minio)
    await expectRejected(
      { ...minio, MINIO_ACCESS_KEY: accessKey, MINIO_SECRET_KEY: secretKey },
      /bucket bucket-\S+: the bucket bucket-\S+ belongs to another account, or the access key may not write to it \(see MINIO_BUCKET\)$/,
    )
  })

  it('69: the program ends with the message while it is still connecting to the database', () =>
    withDirectory(async (DATA_DIR) => {
      const port = await closedPort()
      const url = `mongodb://user:hidden-word@127.0.0.1:${port}/x`
      const ending = await runService({ DATA_DIR, ...onMongodb(url) }).ended
      expectFailure(
        ending,
        69,
        /^The service can’t start\.\n {2}- The document store can't be opened on .*\n$/m,
      )
      expect(ending.error).not.to.include('hidden-word')
    }))

  it('69: the program ends with the message if the bucket is not accessible', () =>
    withDirectory(async (DATA_DIR) => {
      const ending = await runService({ DATA_DIR, ...minio, MINIO_SECRET_KEY: 'hidden-word' }).ended
      expectFailure(ending, 69, /^The service can’t start\.\n {2}- The blob store cannot be opened on .*\n$/m)
      expect(ending.error).not.to.include('hidden-word')
    }))
})
