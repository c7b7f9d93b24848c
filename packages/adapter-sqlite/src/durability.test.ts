import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import Database from 'better-sqlite3'
import { openWriter } from './open-connection.js'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { child } from './test-support/child-process.js'
import { things } from './test-support/fixture-collection.js'
import { right, temporaryFolders } from './test-support/fixture.js'

const writer = new URL('./test-processes/write-until-killed.js', import.meta.url)

describe('What sqliteDocumentStore has acknowledged', function () {
  this.timeout(60_000)
  const folder = temporaryFolders()

  /** Lets the process write until it has printed so many lines, and kills it in the midst of the next writes. */
  const writeAndKill = async (
    file: string,
    name: string,
    lines: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const acknowledged = new Map<string, number>()
    const { process: started, lines: printed, ended } = child(writer, file, name)
    let left = lines
    for await (const line of printed) {
      const [id = '', version = ''] = line.split(' ')
      acknowledged.set(id, Number(version))
      if (--left === 0) started.kill('SIGKILL')
    }
    expect(await ended).to.equal('SIGKILL')
    return acknowledged
  }

  type Kept = { readonly id: string; readonly version: number; readonly heavy: string }

  /** Eleven times over on one file; two such run side by side. */
  const killAgainAndAgain = async (file: string): Promise<ReadonlyMap<string, number>> => {
    const acknowledged = new Map<string, number>()
    for (let round = 0; round < 11; round++) {
      const lines = 1 + Math.floor(Math.random() * 150)
      for (const [id, version] of await writeAndKill(file, `${round}`, lines)) acknowledged.set(id, version)
      const database = new Database(file)
      const rows = database.prepare<[], Kept>('SELECT id, version, heavy FROM documents_things').all()
      expect(database.pragma('integrity_check', { simple: true })).to.equal('ok')
      const counts = (sql: string) => database.prepare(`${sql} ORDER BY 1`).raw().all()
      const counted = counts(
        "SELECT value, count(*) FROM documents_things, json_each(light, '$.tags') GROUP BY value",
      )
      expect(counts('SELECT text, count FROM "documents_things.tally.tags"')).to.deep.equal(counted)
      expect(counts('SELECT text, count(*) FROM "documents_things.texts.tags" GROUP BY text')).to.deep.equal(
        counted,
      )
      database.close()
      const versions = new Map(rows.map(({ id, version }) => [id, version]))
      const lost = [...acknowledged].filter(([id, version]) => (versions.get(id) ?? 0) < version)
      expect(lost, `lost in round ${round} after ${lines} lines`).to.deep.equal([])
      for (const { id, heavy } of rows) expect(JSON.parse(heavy)).to.deep.equal({ content: id.repeat(100) })
    }
    return acknowledged
  }

  it('is there after its process was killed, 22 times over', async () => {
    const files = [join(await folder(), 'documents.sqlite'), join(await folder(), 'documents.sqlite')]
    const acknowledged = await Promise.all(files.map(killAgainAndAgain))
    for (const [i, file] of files.entries()) {
      const store = await sqliteDocumentStore({ file, collections: [things] })
      const versions = acknowledged[i] ?? new Map<string, number>()
      for (const [id, version] of versions) {
        expect((await right(store.get('things', 1, id)))?.version).to.be.at.least(version)
      }
      expect(versions.size).to.be.above(50)
      await store.close()
    }
  })

  it('was on the disk: commits wait for it', async () => {
    const file = join(await folder(), 'documents.sqlite')
    await (await sqliteDocumentStore({ file, collections: [things] })).close()
    const database = openWriter(file, 1000, null)
    const settings = ['synchronous', 'journal_mode'].map((name) => database.pragma(name, { simple: true }))
    expect(settings).to.deep.equal([2, 'wal'])
    database.close()
  })
})
