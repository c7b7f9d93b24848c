/**
 * Permissions of the data directory and its files: only the user of the service has access, and wider permissions
 * cause a warning.
 */
import { randomUUID } from 'node:crypto'
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from './data-folder.js'
import { adminApi, killRemaining, startServiceProcess, type ServiceProcess } from './service-process.js'
import { createArticle, putFile, uploadFile } from './written-objects.js'

describe('permissions of the data', function () {
  this.timeout(60_000)
  let parent: DataFolder
  let path: string
  let umask: number
  beforeEach(async () => {
    parent = await makeDataFolder()
    path = join(parent.path, 'data')
    umask = process.umask(0)
  })
  afterEach(async () => {
    process.umask(umask)
    await killRemaining()
    await parent.remove()
  })

  const modeOf = async (each: string): Promise<number> => (await stat(each)).mode & 0o777

  const warnings = (service: ServiceProcess): readonly string[] =>
    service.output().filter((line) => line.includes('DATA_DIR is open'))

  const started = async (): Promise<ServiceProcess> => {
    const service = await startServiceProcess(path)
    const api = await adminApi(service)
    await createArticle(api, randomUUID(), 'a')
    const file = randomUUID()
    await putFile(api, file, 'a')
    await uploadFile(api, file, Buffer.from('data'))
    return service
  }

  it('are limited to the user, whatever the umask', async () => {
    const service = await started()
    expect(await modeOf(path)).to.equal(0o700)
    const names = await readdir(path, { recursive: true })
    expect(names).to.include('documents.sqlite-wal')
    for (const name of names) {
      const found = await stat(join(path, name))
      expect(found.mode & 0o777, name).to.equal(found.isDirectory() ? 0o700 : 0o600)
    }
    await service.stop()
    expect(warnings(service)).to.deep.equal([])
  })

  it('are not changed on an existing directory that others can access, and the log warns', async () => {
    await (await started()).stop()
    await chmod(path, 0o755)
    const service = await started()
    expect(await modeOf(path)).to.equal(0o755)
    await service.stop()
    expect(warnings(service)).to.have.lengthOf(1)
  })
})
