/** Bundles of stores on servers, which come to stores of other kinds and are equal there. */
import { join } from 'node:path'
import { isJsonList, isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { ZipReader } from '@publishing-service/zip-files'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { createApi } from '../harness/http-client.js'
import { startTestService } from '../harness/start-test-service.js'
import { fill, makeSide, type CopySide } from '../storage-copy/copy-sides.js'

const kinds = {
  embedded: { STORE: 'sqlite', BLOBS: 'filesystem' },
  mongodb: { STORE: 'mongodb', BLOBS: 'minio' },
  postgresql: { STORE: 'postgresql', BLOBS: 'minio' },
} as const

/** The lines without what differs: the time, ids of records, and the checksum at the end. */
const linesOf = async (file: string): Promise<readonly JsonObject[]> => {
  const zip = await ZipReader.open(file)
  const text = `${await zip.text('documents.jsonl')}${await zip.text('blobs.jsonl')}`
  zip.close()
  return text
    .split('\n')
    .slice(0, -2)
    .map((line) => {
      const value: unknown = JSON.parse(line)
      if (!isJsonObject(value)) throw new Error(line)
      const { collection } = value
      if ('bundle' in value) return { ...value, time: null }
      return collection === 'audit' || collection === 'earlier_states' ? { ...value, id: null } : value
    })
}

describe('bundles of stores on servers', function () {
  this.timeout(300_000)
  let folder: DataFolder
  before(async () => {
    folder = await makeDataFolder()
  })
  after(() => folder.remove())

  const run = async ({ environment }: CopySide, ...args: readonly string[]): Promise<void> => {
    const { code, error } = await runInSeries(environment, '--create', 'instance', ...args)
    expect(code, error).to.equal(0)
  }

  /** The feed of changes has the history, and then what is written. */
  const expectFeedGoesOn = async ({ environment }: CopySide): Promise<void> => {
    const service = await startTestService(environment)
    try {
      service.clock.set(Date.parse('2026-03-10T12:00:00Z'))
      const api = createApi(`${service.url}/1`, await service.tokenFor('admin'))
      const read = async (query: string): Promise<readonly [uuids: readonly unknown[], next: string]> => {
        const { body } = await api.get(`/changes${query}`)
        if (!isJsonObject(body) || !isJsonList(body['items'])) throw new Error(JSON.stringify(body))
        return [body['items'].map((item) => isJsonObject(item) && item['uuid']), String(body['next'])]
      }
      let [uuids, next] = await read('')
      expect(uuids).not.to.have.lengthOf(0)
      while (uuids.length > 0) [uuids, next] = await read(`?since=${next}`)
      const written = await api.post('/content', {
        content_type: 'article',
        title: 'Later',
        urlname: 'later',
      })
      expect(written.status).to.equal(200)
      ;[uuids] = await read(`?since=${next}`)
      expect(uuids).to.have.lengthOf(1)
    } finally {
      await service.stop()
    }
  }

  it('are equal after an import to stores of each kind, with the history', async () => {
    const original = await makeSide(folder, 'original', kinds.embedded)
    await fill(original, 4)
    let file = join(folder.path, 'original.zip')
    await run(original, 'export', '2', '--to', file, '--history')
    let expected: string | null = null
    for (const [name, environment] of Object.entries(kinds)) {
      const side = await makeSide(folder, name, environment)
      await run(side, 'import', file)
      file = join(folder.path, `${name}.zip`)
      await run(side, 'export', '1', '--to', file, '--history')
      const lines = (await linesOf(file)).map((line) => JSON.stringify(line)).join('\n')
      // No other service has the users of the original.
      expected ??= lines
      expect(lines, name).to.equal(expected)
      expect(lines.length).to.be.above(10_000)
      await expectFeedGoesOn(side)
    }
  })
})
