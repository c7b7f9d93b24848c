/** Publications as they were at a moment: the live stores, and a backup that is restored to it, also with killed commands. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { objectOf } from '../administration/command-output.js'
import { runInSeries, startInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { copyFirstData } from '../harness/start-test-service.js'
import { expectFailure, type Environment } from '../start-up/program.js'
import { commandKilledAt, makeSide, serviceOn, writeSide, type CopySide } from '../storage-copy/copy-sides.js'

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const
const [minute, hour] = [60_000, 3_600_000]

const uuid = (number: number): string => `7a3c1f52-1e4b-4f6a-9d88-${String(number).padStart(12, '0')}`
const [section, changed, removed, created] = [uuid(1), uuid(2), uuid(3), uuid(4)]

const articleIn = (urlname: string, title: string): JsonObject => ({
  content_type: 'article',
  title,
  urlname,
  section_uuid: section,
})

const withApi = async <A>(side: CopySide, time: number, use: (api: Api) => Promise<A>): Promise<A> => {
  const service = await serviceOn(side)
  try {
    service.clock.set(time)
    return await use(createApi(`${service.url}/1`, await service.tokenFor('admin')))
  } finally {
    await service.stop()
  }
}

/** The titles of the objects that the tests write; null for one that does not exist. */
const titlesIn = (side: CopySide): Promise<readonly Json[]> =>
  withApi(side, Date.now(), async (api) => {
    const found: Json[] = []
    for (const address of [
      `/sections/${section}`,
      ...[changed, removed, created].map((id) => `/content/${id}`),
    ]) {
      const { body } = await api.get(address)
      found.push((isJsonObject(body) ? body['title'] : null) ?? null)
    }
    return found
  })

const asItWas = ['Section', 'One', 'Removed', null]
const asItIs = [null, 'Two', null, 'Created']

describe('the rewind of an instance', function () {
  this.timeout(300_000)
  let folder: DataFolder
  let original: CopySide
  let place: string
  /** Between the writes that remain and those that are taken back. */
  let moment: number
  before(async () => {
    folder = await makeDataFolder()
    place = join(folder.path, 'backups')
    original = await makeSide(folder, 'original', kinds)
    await copyFirstData(String(original.environment['DATA_DIR']))
    const begin = Date.now() - hour
    moment = begin + minute
    await withApi(original, begin, async (api) => {
      expectOk(await api.put(`/sections/${section}`, { title: 'Section', urlname: 'rewound' }))
      expectOk(await api.put(`/content/${changed}`, articleIn('changed', 'One')))
      expectOk(await api.put(`/content/${removed}`, articleIn('removed', 'Removed')))
    })
    await withApi(original, moment, async (api) => {
      expectOk(await api.patch(`/content/${changed}`, { title: 'Two', section_uuid: null }))
      expectOk(await api.delete(`/content/${removed}`))
      expectOk(await api.delete(`/sections/${section}`))
      expectOk(
        await api.put(`/content/${created}`, { ...articleIn('created', 'Created'), section_uuid: null }),
      )
    })
    objectOf({
      ...(await runInSeries(original.environment, 'backup', 'create', '--at', place, '--json')),
      error: '',
    })
  })
  after(() => folder.remove())

  const until = (time: number): string => new Date(time).toISOString()
  const restore = (environment: Environment, time: number) =>
    runInSeries(environment, 'backup', 'restore', '--until', until(time), '--at', place, '--json')

  const counts = {
    removed: { content: 1 },
    changed: { content: 1 },
    restored: { sections: 1, content: 1 },
    unchanged: {},
    refused: {},
    not_retained: {},
    left: [],
  }

  it('is tried, done, and repeated without a change', async () => {
    const DATA_DIR = join(folder.path, 'live')
    await mkdir(DATA_DIR)
    expect((await runInSeries({ DATA_DIR }, 'backup', 'restore', '--at', place)).code).to.equal(0)
    const live = await writeSide(folder, 'live', { DATA_DIR, ...kinds })
    const report = join(folder.path, 'report.jsonl')
    const rewind = async (...more: readonly string[]) => {
      const ending = await runInSeries(
        live.environment,
        'instance',
        'rewind',
        '1',
        '--to',
        until(moment),
        '--json',
        ...more,
      )
      return objectOf({ ...ending, error: '' })
    }
    expect(await rewind('--dry-run', '--report', report)).to.deep.include(counts)
    expect((await readFile(report, 'utf8')).trimEnd().split('\n')).to.have.lengthOf(4)
    expect(await titlesIn(live)).to.deep.equal(asItIs)
    expect(await rewind()).to.deep.include({ ...counts, to: until(moment) })
    expect(await titlesIn(live)).to.deep.equal(asItWas)
    expect(await rewind()).to.deep.include({
      unchanged: { sections: 1, content: 3 },
      changed: {},
      removed: {},
      restored: {},
    })
  })

  it('refuses a moment that is none, in the future, or not retained', async () => {
    const rewind = (to: string) => runInSeries(original.environment, 'instance', 'rewind', '1', '--to', to)
    expectFailure(await rewind('yesterday'), 1, /--to must be a date-time such as/)
    expectFailure(await rewind(until(Date.now() + hour)), 1, /--to: must not be in the future/)
    expectFailure(await rewind('2001-01-01'), 1, /--to: must be after/)
    expectFailure(
      await runInSeries(original.environment, 'instance', 'rewind', '9', '--to', '2001-01-01'),
      1,
      /no instance 9/,
    )
    const { environment } = await makeSide(folder, 'refused', kinds)
    const restoreUntil = (text: string) =>
      runInSeries(environment, 'backup', 'restore', '--until', text, '--at', place)
    expectFailure(await restoreUntil('2026-11-29T14:04'), 1, /--until must end in Z or an offset/)
    expectFailure(await restoreUntil(until(Date.now() + hour)), 1, /--until must not be in the future/)
    expectFailure(await restoreUntil('2001-01-01T00:00Z'), 1, /--until must be after/)
  })

  it('completes the restoration of a backup', async () => {
    const side = await makeSide(folder, 'restored', kinds)
    const ending = await restore(side.environment, moment)
    const { instances, ...result } = objectOf({ ...ending, error: '' })
    expect(result).to.include({ until: until(moment), whole: true })
    expect(instances).to.have.nested.property('[0]').that.deep.includes(counts)
    expect(await titlesIn(side)).to.deep.equal(asItWas)
  })

  it('is none after the last backup, and the restoration says so', async () => {
    const side = await makeSide(folder, 'later', kinds)
    const { whole, instances } = objectOf({ ...(await restore(side.environment, Date.now())), error: '' })
    expect(whole).to.equal(false)
    expect(instances).to.have.nested.property('[0]').that.deep.includes({ changed: {}, removed: {} })
    expect(await titlesIn(side)).to.deep.equal(asItIs)
  })

  it('goes on after the command was killed, and until then no service starts', async () => {
    const side = await makeSide(folder, 'killed', kinds)
    const { environment } = side
    const args = ['backup', 'restore', '--until', until(moment), '--at', place]
    const killed = await commandKilledAt(/Taking back/, args, environment)
    expect(killed.code, killed.error).to.equal(null)
    expectFailure(await startInSeries(environment), 69, /contain an incomplete copy of/)
    expectFailure(await restore(environment, moment - 1), 1, /these stores are being restored to/)
    const { instances } = objectOf({ ...(await restore(environment, moment)), error: '' })
    expect(instances).to.have.nested.property('[0].left').that.deep.equals([])
    expect(await titlesIn(side)).to.deep.equal(asItWas)
  })
})
