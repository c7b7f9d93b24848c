/** A publication that is exported to a folder and imported into other stores. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom } from '@publishing-service/conformance'
import { runInSeries, startInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { expectFailure } from '../start-up/program.js'
import { allRequestPaths, allResponses, apiOn } from './all-responses.js'
import { commandKilledAt, fill, makeSide, serviceOn, type CopySide } from './copy-sides.js'
import { readStoreContents, type StoreContents } from './store-contents.js'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

/** How many paths of each endpoint are requested. The contents are compared as a whole. */
const sampled = 3

describe('storage export and import', function () {
  this.timeout(120_000)
  let folder: DataFolder
  let original: CopySide
  let target: CopySide
  let exported: string
  let token: string
  let contents: StoreContents
  before(async () => {
    folder = await makeDataFolder()
    exported = join(folder.path, 'exported')
    original = await makeSide(folder, 'original', kinds)
    target = await makeSide(folder, 'target', kinds)
    token = (await fill(original, 8))[2].admin
    contents = await readStoreContents(original.environment, 2)
  })
  after(() => folder.remove())

  it('writes everything to a folder that only its owner can read', async () => {
    const { code, out, error } = await runInSeries(
      original.environment,
      'storage',
      'export',
      exported,
      '--json',
    )
    expect(code, error).to.equal(0)
    expect(JSON.parse(out)).to.include({
      instances: 2,
      documents: Object.values(contents.documents).flat().length,
      blobs: Object.keys(contents.blobs).length,
    })
    for (const path of [exported, join(exported, 'export.jsonl')])
      expect((await stat(path)).mode & 0o077, path).to.equal(0)
    expectFailure(
      await runInSeries(original.environment, 'storage', 'export', exported),
      1,
      /contains an export/,
    )
  })

  it('imports nothing of an export that was changed', async () => {
    const file = join(exported, 'export.jsonl')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.slice(0, -1000))
    expectFailure(
      await runInSeries(target.environment, 'storage', 'import', exported),
      1,
      /^Nothing was copied\.\n {2}- \S+exported: the export is damaged: line \d+ /m,
    )
    await writeFile(file, text)
  })

  it('is continued after a kill; until then services reject the stores', async () => {
    const args = ['storage', 'import', exported, '--json']
    const killed = await commandKilledAt(/^Copied [\d,]+ documents /m, args, target.environment)
    expect(killed.code, killed.error).to.equal(null)
    expectFailure(
      await startInSeries(target.environment),
      69,
      /contain an incomplete copy of \S+ and \S+ at /,
    )
    const { code, out, error } = await runInSeries(target.environment, ...args)
    expect(code, error).to.equal(0)
    expect(JSON.parse(out)).to.include({ resumed: true, instances: 2 })
    expect(await readStoreContents(target.environment, 2)).to.deep.equal(contents)
  })

  it('fills no stores that have data', async () => {
    expectFailure(await runInSeries(target.environment, 'storage', 'import', exported), 1, /is not empty/)
  })

  it('makes stores on which a service returns identical responses', async () => {
    const responses: Readonly<Record<string, string>>[] = []
    let paths: readonly string[] = []
    for (const side of [original, target]) {
      const service = await serviceOn(side)
      const api = apiOn(service.url, 2, token)
      if (paths.length === 0)
        paths = [...(await allRequestPaths(api)).values()].flatMap((each) => sampleFrom(each, sampled))
      responses.push(await allResponses(api, paths))
      await service.stop()
    }
    expect(paths).to.have.length.above(50)
    expect(responses[1]).to.deep.equal(responses[0])
  })
})
