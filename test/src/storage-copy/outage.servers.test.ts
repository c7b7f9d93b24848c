/** A copy whose target fails and recovers. */
import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import {
  startServers,
  unreliableConnection,
  type Servers,
  type UnreliableConnection,
} from '../../servers/dist/index.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { adminProgram, runNode } from '../start-up/program.js'
import { fill, makeSide, type CopySide } from './copy-sides.js'
import { readStoreContents } from './store-contents.js'

describe('storage copy to mongodb × minio, with outages', function () {
  this.timeout(180_000)
  let folder: DataFolder
  let servers: Servers
  let connections: readonly UnreliableConnection[]
  let original: CopySide
  let target: CopySide
  before(async () => {
    folder = await makeDataFolder()
    servers = await startServers()
    const database = await unreliableConnection(servers.mongodb.address)
    const bucket = await unreliableConnection(servers.minio.address)
    connections = [database, bucket]
    original = await makeSide(folder, 'original', { STORE: 'sqlite', BLOBS: 'filesystem' })
    await fill(original, 10)
    target = await makeSide(folder, 'target', { STORE: 'memory', BLOBS: 'memory' })
    const environment = {
      STORE: 'mongodb',
      BLOBS: 'minio',
      MONGODB_URL: servers.mongodb.url('copied', database.address),
      MINIO_URL: servers.minio.url(bucket.address),
      MINIO_ACCESS_KEY: servers.minio.accessKey,
      MINIO_SECRET_KEY: servers.minio.secretKey,
      MINIO_BUCKET: 'copied',
    }
    const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(target.file, lines.join(''))
    target = { ...target, environment }
  })
  after(async () => {
    await Promise.all(connections.map((connection) => connection.close()))
    await servers.stop()
    await folder.remove()
  })

  it('waits for the servers, continues, and is complete', async () => {
    const args = ['storage', 'copy', '--from', original.file, '--to', target.file, '--json']
    const run = runNode([adminProgram, ...args], { LOG_LEVEL: 'error' })
    const triggers = [/^Copying [\d,]+ documents/m, /^Copying .* of file data/m]
    run.child.stderr?.on('data', (text: string) => {
      if (text.includes('Trying again')) connections.forEach((connection) => connection.restore())
      if (triggers[0]?.test(text) !== true) return
      connections.forEach((connection) => connection.cut())
      triggers.shift()
    })
    const { code, out, error } = await run.ended
    expect(code, error).to.equal(0)
    expect(error).to.match(/^The (?:document|blob) store is unavailable: .* Trying again in \d s\.$/m)
    expect(JSON.parse(out)).to.include({ instances: 2 })
    expect(await readStoreContents(target.environment, 2)).to.deep.equal(
      await readStoreContents(original.environment, 2),
    )
  })
})
