/** The commands `instance export` and `instance import`: whole, on other stores, and killed in between (docs/bundle.md). */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { ZipReader } from '@publishing-service/zip-files'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { objectOf } from '../administration/command-output.js'
import { runInSeries } from '../administration/command-series.js'
import { createApi } from '../harness/http-client.js'
import { copyFirstData, startTestService } from '../harness/start-test-service.js'
import { adminProgram, runNode, withDirectory } from '../start-up/program.js'

/** A publication with the sample and further articles. */
type Publication = { readonly DATA_DIR: string; readonly folder: string; readonly file: string }

const articles = 150

const uuid = (number: number): string => `5d0c7a52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`

const prepared = (test: (publication: Publication) => Promise<void>): Promise<void> =>
  withDirectory(async (folder) => {
    const DATA_DIR = join(folder, 'data')
    await copyFirstData(DATA_DIR)
    const objects = join(folder, 'objects.jsonl')
    const lines = Array.from({ length: articles }, (_, number) =>
      JSON.stringify({
        collection: 'content',
        id: uuid(number),
        attributes: { content_type: 'article', title: `Story ${number}`, urlname: `story-${number}` },
      }),
    )
    await writeFile(objects, lines.join('\n'))
    const filled = await runInSeries({ DATA_DIR }, 'import', 'json', objects, '--instance', '1')
    expect(filled.code, filled.error).to.equal(0)
    await test({ DATA_DIR, folder, file: join(folder, 'bundle.zip') })
  })

const done = async (DATA_DIR: string, ...args: readonly string[]): Promise<JsonObject> => {
  const ending = await runInSeries({ DATA_DIR }, ...args, '--json')
  expect(ending.code, ending.error).to.equal(0)
  return objectOf({ ...ending, error: '' })
}

const exportTo = (DATA_DIR: string, instance: Json | undefined, file: string): Promise<JsonObject> =>
  done(DATA_DIR, 'instance', 'export', String(instance), '--to', file)

const instancesOf = async (DATA_DIR: string): Promise<readonly JsonObject[]> => {
  const { out } = await runInSeries({ DATA_DIR }, 'instance', 'list', '--json')
  const list: unknown = JSON.parse(out)
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** The names of the data in a bundle, and its lines without the time of the export and what follows from it. */
const contentOf = async (file: string) => {
  const zip = await ZipReader.open(file)
  const text = `${await zip.text('documents.jsonl')}${await zip.text('blobs.jsonl')}`
  const { names } = zip
  zip.close()
  return {
    names,
    lines: text
      .replace(/"time":"[^"]*"/, '')
      .split('\n')
      .slice(0, -2),
  }
}

describe('bundles of instances', function () {
  this.timeout(600_000)

  it('come to another service, which serves the same', () =>
    prepared(async ({ DATA_DIR, folder, file }) => {
      const made = await exportTo(DATA_DIR, 1, file)
      expect(made).to.deep.include({ id: 1, without_data: [] })
      const other = join(folder, 'other')
      await copyFirstData(other)
      const imported = await done(other, 'instance', 'import', file, '--title', 'The other')
      expect(imported).to.deep.include({ id: 2, title: 'The other', blobs: made['blobs'], unknown_users: [] })
      const again = join(folder, 'again.zip')
      await exportTo(other, 2, again)
      const expected = await contentOf(file)
      const found = await contentOf(again)
      expect({ ...found, lines: found.lines.slice(1) }).to.deep.equal({
        ...expected,
        lines: expected.lines.slice(1),
      })
      const service = await startTestService({ STORE: 'sqlite', BLOBS: 'filesystem', DATA_DIR: other })
      try {
        const api = createApi(`${service.url}/2`, await service.tokenFor('admin', 2))
        const { body } = await api.get(`/content/${uuid(7)}`)
        expect(body).to.include({ title: 'Story 7', path: '/story-7/' })
        const taken = await api.post('/content', { content_type: 'article', title: 'x', urlname: 'story-7' })
        expect(taken).to.have.property('status', 400)
      } finally {
        await service.stop()
      }
    }))

  it('are copies for trial, of which chosen objects come back', () =>
    prepared(async ({ DATA_DIR, folder, file }) => {
      const [first, second] = [uuid(1), uuid(2)]
      await exportTo(DATA_DIR, 1, file)
      const copied = await done(DATA_DIR, 'instance', 'copy', '1', '--title', 'Trial')
      expect(copied).to.deep.include({ id: 2, title: 'Trial', resumed: false })
      const changes = join(folder, 'changes.jsonl')
      const changed = [first, second].map((id, number) => ({
        collection: 'content',
        id,
        attributes: { content_type: 'article', title: 'Changed', urlname: `story-${number + 1}` },
      }))
      await writeFile(changes, changed.map((each) => JSON.stringify(each)).join('\n'))
      await done(DATA_DIR, 'import', 'json', changes, '--instance', '2', '--replace')
      const back = join(folder, 'back.zip')
      const report = join(folder, 'report.jsonl')
      await exportTo(DATA_DIR, 2, back)
      const before = await contentOf(file)
      const into = ['instance', 'import', back, '--instance', '1'] as const
      const tried = await done(DATA_DIR, ...into, '--where-exists', 'report', '--report', report)
      expect(tried).to.have.nested.property('present.content').that.is.at.least(articles)
      expect(tried).to.deep.include({ created: {}, replaced: {}, refused: {} })
      expect(await readFile(report, 'utf8')).to.include(`content/${first}`)
      const check = join(folder, 'check.zip')
      await exportTo(DATA_DIR, 1, check)
      expect(await contentOf(check)).to.deep.equal(before)
      const only = ['--where-exists', 'replace', '--only', `content/${first}`]
      const returned = await done(DATA_DIR, 'instance', 'copy', '2', '--into', '1', ...only)
      expect(returned).to.deep.include({ replaced: { content: 1 } })
      await rm(check)
      await exportTo(DATA_DIR, 1, check)
      const different = (await contentOf(check)).lines.filter((line) => !before.lines.includes(line))
      expect(different).to.have.lengthOf(1)
      expect(different[0]).to.include(first).and.to.include('"title":"Changed"')
    }))

  it('need an instance for what is about one', async () => {
    for (const args of [
      ['--only', 'content/x', '--instance', '1'],
      ['--where-exists', 'skip'],
      ['--title', 'x', '--instance', '1'],
    ])
      expect(await runInSeries({}, 'instance', 'import', 'x.zip', ...args)).to.have.property('code', 2)
    for (const args of [
      ['--only', `content/${uuid(1)}`],
      ['--title', 'x', '--into', '2'],
      ['--into', '1'],
    ])
      expect(await runInSeries({}, 'instance', 'copy', '1', ...args)).to.have.property('code', 2)
  })

  it('are refused with one message if they are cut off, of something else, or over another file', () =>
    prepared(async ({ DATA_DIR, folder, file }) => {
      await exportTo(DATA_DIR, 1, file)
      const cut = join(folder, 'cut.zip')
      await writeFile(cut, 'PK')
      for (const [args, words] of [
        [['export', '1', '--to', file], /exists/],
        [['export', '9', '--to', cut.replace('cut', 'none')], /there is no instance 9/],
        [['import', cut], /is no bundle/],
        [['import', `${file}.missing`], /there is no file/],
      ] as const) {
        const ending = await runInSeries({ DATA_DIR }, 'instance', ...args)
        expect(ending.code).to.equal(1)
        expect(ending.error).to.match(words)
      }
      expect(await instancesOf(DATA_DIR)).to.have.lengthOf(1)
      expect((await readdir(folder)).filter((name) => name.endsWith('.incomplete'))).to.deep.equal([])
    }))

  const kills = Number(process.env['BUNDLE_KILLS'] ?? 2)
  /** Runs a command, and kills it at a random moment. */
  const killed = async (DATA_DIR: string, ...args: readonly string[]): Promise<void> => {
    const { signal, ended, child } = runNode([adminProgram, ...args], { LOG_LEVEL: 'error', DATA_DIR })
    await Promise.race([ended, setTimeout(700 + Math.random() * 1300)])
    if (child.exitCode === null) signal('SIGKILL')
    await ended
  }

  it(`are imported whole after kills: ${kills} kills`, () =>
    prepared(async ({ DATA_DIR, folder, file }) => {
      await exportTo(DATA_DIR, 1, file)
      const expected = await contentOf(file)
      const check = join(folder, 'check.zip')
      for (let run = 0; run <= kills; run += 1) {
        await (run < kills
          ? killed(DATA_DIR, 'instance', 'import', file)
          : done(DATA_DIR, 'instance', 'import', file))
        for (const { id } of (await instancesOf(DATA_DIR)).slice(1)) {
          await exportTo(DATA_DIR, id, check)
          expect(await contentOf(check)).to.deep.equal(expected)
          await rm(check)
        }
      }
      expect(await instancesOf(DATA_DIR)).to.have.lengthOf.above(1)
    }))

  it(`are written whole or not at all: ${kills} kills`, () =>
    prepared(async ({ DATA_DIR, folder, file }) => {
      await exportTo(DATA_DIR, 1, file)
      const expected = await contentOf(file)
      const made = join(folder, 'killed')
      await mkdir(made)
      const target = join(made, 'bundle.zip')
      for (let run = 0; run <= kills; run += 1) {
        if (run < kills) await killed(DATA_DIR, 'instance', 'export', '1', '--to', target)
        else await exportTo(DATA_DIR, 1, target)
        if (!(await readdir(made)).includes('bundle.zip')) continue
        expect(await contentOf(target)).to.deep.equal(expected)
        await rm(target)
      }
    }))
})
