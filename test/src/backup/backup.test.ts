/** Backups of a service that writes, and their restoration, with killed commands. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runInSeries } from '../administration/command-series.js'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { createApi } from '../harness/http-client.js'
import { storeFile } from '../harness/stored-files.js'
import { expectOk } from '../harness/expect-response.js'
import { adminProgram, expectFailure, runNode, type Environment } from '../start-up/program.js'
import { fill, makeSide, serviceOn, type CopySide } from '../storage-copy/copy-sides.js'
import { readStoreContents } from '../storage-copy/store-contents.js'

const run = promisify(execFile)

const kinds = { STORE: 'sqlite', BLOBS: 'filesystem' } as const

/** Rounds of each test that kills or writes. `BACKUP_ROUNDS=20` has more than a continuous build needs. */
const rounds = Number(process.env['BACKUP_ROUNDS'] ?? 2)

const jsonOf = async (environment: Environment, ...args: readonly string[]) => {
  const { code, out, error } = await runInSeries(environment, ...args, '--json')
  expect(code, error).to.equal(0)
  return JSON.parse(out) as never
}

/** Runs a command that is killed after some milliseconds; returns whether it had not ended before. */
const killedAfter = async (
  milliseconds: number,
  environment: Environment,
  ...args: readonly string[]
): Promise<boolean> => {
  const program = runNode([adminProgram, ...args], { LOG_LEVEL: 'error', ...environment })
  await Promise.race([wait(milliseconds), program.ended])
  program.signal('SIGKILL')
  return (await program.ended).code === null
}

/** What a backup has of the contents of stores: no scaled images. */
const backedUp = async (environment: Environment) => {
  const { documents, blobs } = await readStoreContents(environment, 2)
  const originals = Object.entries(blobs).filter(([key]) => /\/original$|^store\//.test(key))
  return { documents, blobs: Object.fromEntries(originals) }
}

describe('backup', function () {
  this.timeout(120_000 + rounds * 30_000)
  let folder: DataFolder
  let original: CopySide
  let place: string
  let token: string
  before(async () => {
    folder = await makeDataFolder()
    place = join(folder.path, 'backups')
    original = await makeSide(folder, 'original', kinds)
    token = (await fill(original, 8))[2].admin
  })
  after(() => folder.remove())

  const listed = async (): Promise<readonly { readonly id: string }[]> =>
    jsonOf(original.environment, 'backup', 'list', '--at', place)

  const restoredTo = async (name: string, ...id: readonly string[]): Promise<CopySide> => {
    const side = await makeSide(folder, name, kinds)
    await jsonOf(side.environment, 'backup', 'restore', ...id, '--at', place)
    return side
  }

  it('restores everything, and only its owner can read it', async () => {
    const made: { readonly blobs: number; readonly without_data: readonly string[] } = await jsonOf(
      original.environment,
      'backup',
      'create',
      '--at',
      place,
    )
    expect(made.without_data).to.deep.equal([])
    const side = await restoredTo('restored')
    expect(await backedUp(side.environment)).to.deep.equal(await backedUp(original.environment))
    for (const path of [place, join(String(side.environment['DATA_DIR']), 'documents.sqlite')])
      expect((await stat(path)).mode & 0o077, path).to.equal(0)
    const service = await serviceOn(side)
    expectOk(await createApi(`${service.url}/2`, token).get('/content'))
    await service.stop()
    expectFailure(
      await runInSeries(side.environment, 'backup', 'restore', '--at', place),
      1,
      /documents\.sqlite exists/,
    )
  })

  it('has whole writes and the data of its files while a service writes', async () => {
    const service = await serviceOn(original)
    const api = createApi(`${service.url}/2`, token)
    let [isEnded, written] = [false, 0]
    const writing = (async () => {
      for (; !isEnded; written += 1) {
        const { id } = await storeFile(api)
        const article = {
          content_type: 'article',
          title: `Written ${written}`,
          urlname: `written-${written}`,
        }
        expectOk(await api.post('/content', article))
        if (written % 3 === 0) expectOk(await api.delete(`/files/${id}`))
      }
    })()
    const acknowledged: [id: string, written: number][] = []
    try {
      for (let round = 0; round < rounds; round += 1) {
        const count = written
        const { id }: { readonly id: string } = await jsonOf(
          { ...original.environment, BACKUP_KEEP: '1000' },
          'backup',
          'create',
          '--at',
          place,
        )
        acknowledged.push([id, count])
      }
    } finally {
      isEnded = true
      await writing
      await service.stop()
    }
    for (const [id, count] of acknowledged) {
      const side = await restoredTo(`during-${id}`, id)
      const { code, out, error } = await runInSeries(side.environment, 'storage', 'verify', '--json')
      expect(code, `${error}${out}`).to.equal(0)
      const { documents } = await readStoreContents(side.environment, 2)
      const titles = new Set((documents['2/content'] ?? []).map(({ value }) => value['title']))
      for (let number = 0; number < count; number += 1) expect(titles).to.include(`Written ${number}`)
    }
  })

  it('is none on a full disk, which is named, and is complete once there is space', async function () {
    const disk = join(folder.path, 'disk')
    await mkdir(disk)
    const mount = (...options: readonly string[]) =>
      run('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', disk])
    try {
      await mount('size=256k')
    } catch {
      this.skip()
    }
    try {
      const backUp = () => runInSeries(original.environment, 'backup', 'create', '--at', disk)
      const failed = await backUp()
      expect(failed.code).not.to.equal(0)
      expect(failed.error).to.match(/full|no space/i)
      expect(await jsonOf(original.environment, 'backup', 'list', '--at', disk)).to.deep.equal([])
      await mount('remount', 'size=64m')
      const made = await backUp()
      expect(made.code, made.error).to.equal(0)
      expect(await jsonOf(original.environment, 'backup', 'verify', '--at', disk)).to.include.keys('id')
    } finally {
      await run('umount', [disk])
    }
  })

  it('is encrypted with a key, without which it is not read', async () => {
    const { key: BACKUP_ENCRYPTION_KEY }: { readonly key: string } = await jsonOf({}, 'backup', 'key')
    const BACKUP_TO = join(folder.path, 'encrypted')
    const backUp = async () =>
      (await jsonOf({ ...original.environment, BACKUP_TO, BACKUP_ENCRYPTION_KEY }, 'backup', 'create')) as {
        readonly new_blobs: number
        readonly blobs: number
      }
    const first = await backUp()
    expect(first.new_blobs).to.equal(first.blobs)
    expect((await backUp()).new_blobs).to.equal(0)
    const { environment } = await makeSide(folder, 'decrypted', kinds)
    const restore = (more: Environment) =>
      runInSeries({ ...environment, BACKUP_TO, ...more }, 'backup', 'restore')
    expectFailure(await restore({}), 1, /is encrypted/)
    const { key: another }: { readonly key: string } = await jsonOf({}, 'backup', 'key')
    expectFailure(await restore({ BACKUP_ENCRYPTION_KEY: another }), 1, /BACKUP_ENCRYPTION_KEY/)
    expect((await restore({ BACKUP_ENCRYPTION_KEY })).code).to.equal(0)
    expect(await backedUp(environment)).to.deep.equal(await backedUp(original.environment))
  })

  it('is complete or none if it is killed', async () => {
    let killed = 0
    for (let round = 0; round < rounds; round += 1) {
      const earlier = await listed()
      if (
        await killedAfter(700 + Math.random() * 1500, original.environment, 'backup', 'create', '--at', place)
      )
        killed += 1
      const [latest, ...others] = await listed()
      expect([earlier.length, earlier.length + 1]).to.include(others.length + 1)
      await jsonOf(original.environment, 'backup', 'verify', String(latest?.id), '--at', place)
    }
    await jsonOf(original.environment, 'backup', 'create', '--at', place)
    await jsonOf(original.environment, 'backup', 'verify', '--at', place)
    expect(killed, 'killed commands').to.be.at.least(rounds > 5 ? 1 : 0)
  })

  it('is restored completely after its restoration was killed', async () => {
    const expected = await backedUp(original.environment)
    for (let round = 0; round < rounds; round += 1) {
      const { environment } = await makeSide(folder, `killed-${round}`, kinds)
      const args = ['backup', 'restore', '--at', place]
      await killedAfter(600 + Math.random() * 1500, environment, ...args)
      const names = await readdir(String(environment['DATA_DIR']))
      if (!names.includes('documents.sqlite')) await jsonOf(environment, ...args)
      expect(await backedUp(environment)).to.deep.equal(expected)
    }
  })

  it('finds damage, names it, and restores nothing of it that a service would start on', async () => {
    const [latest] = await listed()
    const data = join(place, 'blobs', 'blobs', '2')
    const names = await readdir(data, { recursive: true })
    const name = names.find((each) => each.endsWith('original@')) ?? ''
    await writeFile(join(data, name), 'damaged')
    const verified = await runInSeries(original.environment, 'backup', 'verify', '--at', place, '--json')
    expect(verified.code, verified.error).to.equal(1)
    expect(JSON.parse(verified.out)).to.deep.equal({
      id: latest?.id,
      missing: [],
      damaged: [`2/${name.slice(0, -1)}`],
    })
    const { environment } = await makeSide(folder, 'damaged', kinds)
    const args = ['backup', 'restore', '--at', place]
    expectFailure(await runInSeries(environment, ...args), 1, /is damaged: blob 2\/\S+ is damaged/)
    expect(await readdir(String(environment['DATA_DIR']))).not.to.include('documents.sqlite')
    expectFailure(
      await runInSeries(environment, 'backup', 'verify', 'nothing', '--at', place),
      1,
      /no backup nothing/,
    )
  })
})
