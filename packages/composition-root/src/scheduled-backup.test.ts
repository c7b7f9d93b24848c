import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { controlledClock, recordingLog } from '@publishing-service/adapter-memory'
import { backups } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { openBackupPlace } from './backup-place.js'
import type { Configuration } from './configuration.js'
import { createContainer, type Container } from './container.js'
import { readConfiguration } from './read-configuration.js'
import { scheduledBackup } from './scheduled-backup.js'
import { tokens } from './tokens.js'

const hour = 3_600_000

const configurationWith = (variables: Readonly<Record<string, string>>): Configuration => {
  const found = readConfiguration(
    { STORE: 'memory', BLOBS: 'memory', LOG_LEVEL: 'error', ...variables },
    () => '',
  )
  if (E.isLeft(found)) throw new Error(found.left.join())
  return found.right
}

describe('scheduledBackup', () => {
  let folder: string
  let container: Container
  const clock = controlledClock(Date.parse('2026-04-01T12:00:00Z'))
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backups-'))
    container = createContainer(configurationWith({}))
    const { administerInstances } = await container.getAsync(tokens.useCases)
    await administerInstances.create({ title: 'News', timezone: 'UTC' })()
  })
  afterEach(async () => {
    await container.unbindAll()
    await rm(folder, { recursive: true, force: true })
  })

  /** The task of a process of a service. */
  const processOn = async (BACKUP_TO: string) => {
    const log = recordingLog()
    const ports = await container.getAsync(tokens.ports)
    const configuration = configurationWith({ BACKUP_TO, BACKUP_EVERY: '6', BACKUP_KEEP: '2' })
    return {
      run: scheduledBackup(configuration, { ...ports, clock, log }) ?? expect.fail(),
      lines: log.entries,
    }
  }

  const made = async (BACKUP_TO: string): Promise<number> => {
    const place = await openBackupPlace(configurationWith({ BACKUP_TO }))
    if (place === null) throw new Error('no place')
    const tools = { checksum: await container.getAsync(tokens.checksum), onProgress: () => undefined }
    const found = await backups.list(place, tools)()
    await place.close()
    return E.isRight(found) ? found.right.length : -1
  }

  it('makes a backup when one is due, in one of several processes, and retains the latest', async () => {
    const processes = [await processOn(folder), await processOn(folder)]
    const all = async () => void (await Promise.all(processes.map(({ run }) => run())))
    await all()
    expect(await made(folder)).to.equal(1)
    expect(processes.flatMap(({ lines }) => lines().map(({ event }) => event))).to.deep.equal(['backup made'])
    clock.advance(hour)
    await all()
    expect(await made(folder)).to.equal(1)
    for (const expected of [2, 2]) {
      clock.advance(7 * hour)
      await all()
      expect(await made(folder)).to.equal(expected)
    }
  })

  it('logs a failure as an error, and tries again later', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { run, lines } = await processOn(file)
    await run()
    await run()
    expect(lines().map(({ level, event }) => [level, event])).to.deep.equal([['error', 'backup failed']])
    await rm(file)
    clock.advance(hour)
    await run()
    expect(await made(file)).to.equal(1)
  })

  it('logs one failure with its reason where the stores fail too', async () => {
    const log = recordingLog()
    const ports = await container.getAsync(tokens.ports)
    const configuration = configurationWith({ BACKUP_TO: folder, BACKUP_EVERY: '6' })
    const state = { isClosed: false }
    const closed = async () => E.left(portFailure('document store', 'it is closed'))
    const documents = {
      ...ports.documents,
      write: (...parameters: Parameters<typeof ports.documents.write>) =>
        state.isClosed ? closed : ports.documents.write(...parameters),
      snapshot: () => {
        state.isClosed = true
        return closed
      },
    }
    const run = scheduledBackup(configuration, { ...ports, documents, clock, log }) ?? expect.fail()
    await run()
    expect(log.entries().map(({ level, event, fields }) => [level, event, fields['reason']])).to.deep.equal([
      ['error', 'backup failed', 'document store: it is closed'],
    ])
  })

  it('is none without BACKUP_EVERY', async () => {
    const ports = await container.getAsync(tokens.ports)
    expect(scheduledBackup(configurationWith({ BACKUP_TO: folder }), ports)).to.equal(null)
  })
})
