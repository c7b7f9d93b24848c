/**
 * The backup of docs/run-in-production.md, created by its commands while the service accepts writes, and restored.
 * It contains all writes that were acknowledged before it began, and every file has its data. Needs bash and GNU
 * cp.
 */
import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { adminApi, killRemaining, startServiceProcess } from '../durability/service-process.js'
import { createArticle, readArticle, sha256Of, walk } from '../durability/written-objects.js'
import { expectOk } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { pathBelow, storeFile, uploadTo } from '../harness/stored-files.js'
import { blocksOf, readDocument } from './documents.js'
import { readerDirectory, type ReaderDirectory } from './reader-directory.js'
import { runScript } from './shell.js'

const blocks = blocksOf(readDocument('docs/run-in-production.md'))

const blockWith = (part: string): string => {
  const found = blocks.find(({ language, text }) => language === 'sh' && text.includes(part))
  if (found === undefined) throw new Error(`no block contains ${part}`)
  return found.text
}

const data = (word: string): Buffer => Buffer.from(word.repeat(5000))
const mimetype = 'application/zip'

describe('the backup of docs/run-in-production.md', function () {
  this.timeout(60_000)
  let reader: ReaderDirectory
  before(async () => {
    reader = await readerDirectory()
  })
  after(killRemaining)
  after(() => reader.remove())

  /** Writes until it is stopped: replaces or deletes each initial file once, and creates new files. */
  const write = async (api: Api, files: readonly string[], known: Set<string>, isOver: () => boolean) => {
    for (let round = 0; !isOver(); round += 1) {
      const fresh = `new ${round} `
      known.add(sha256Of(data(fresh)))
      await storeFile(api, { mimetype, data: data(fresh) })
      await createArticle(api, randomUUID(), fresh)
      const file = files[round]
      if (file === undefined) continue
      const later = `later ${round} `
      known.add(sha256Of(data(later)))
      if (round % 3 === 0) expectOk(await api.delete(`/files/${file}`))
      else await uploadTo(api, file, mimetype, data(later))
    }
  }

  it('is consistent although the service continues, and a service starts on it', async () => {
    const service = await startServiceProcess(join(reader.path, 'data'))
    const api = await adminApi(service)
    const known = new Set<string>()
    const files: string[] = []
    const articles: string[] = []
    for (let index = 0; index < 40; index += 1) {
      const word = `first ${index} `
      known.add(sha256Of(data(word)))
      files.push((await storeFile(api, { mimetype, data: data(word) })).id)
      articles.push(randomUUID())
      await createArticle(api, articles[index] ?? '', word)
    }
    let over = false
    const writing = write(api, files, known, () => over)
    await runScript([blockWith('VACUUM INTO'), blockWith('restored/blobs')].join('\n'), {
      directory: reader.path,
    })
    over = true
    await writing
    await service.kill()
    const [backup = ''] = await readdir(join(reader.path, 'backups'))
    const copied = await stat(join(reader.path, 'backups', backup, 'documents.sqlite'))
    expect(copied.mode & 0o077, 'other users can read it').to.equal(0)

    const restored = await startServiceProcess(join(reader.path, 'restored'))
    const found = await adminApi(restored)
    for (const [index, id] of articles.entries())
      expect(await readArticle(found, id)).to.equal(`first ${index} `)
    let withData = 0
    for (const id of await walk(found, 'files', 'created')) {
      const { object } = expectOk(await found.get(`/files/${id}`))
      if (object['mimetype'] !== mimetype) continue
      const { bytes } = expectOk(await found.get(pathBelow(object['download_url'])))
      expect(known.has(sha256Of(bytes)), id).to.equal(true)
      withData += 1
    }
    expect(withData).to.be.at.least(files.length - Math.ceil(files.length / 3))
    expect(restored.defects()).to.deep.equal([])
    expect(await restored.stop()).to.equal(0)
  })
})
