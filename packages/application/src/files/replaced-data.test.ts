/** The replaced data of files (docs/behaviour/history.md#data-of-files). */
import { file } from '@publishing-service/domain'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  changeObject,
  createObject,
  downloadFile,
  listVersions,
  readObject,
  removeFromTrash,
  removeObject,
  restoreVersion,
  uploadFile,
} from '../operations.js'
import { bodyOf, textFrom } from '../test-support/ascii.js'
import { plainDownload } from '../test-support/plain-download.js'
import {
  createStage,
  deployment,
  processOver,
  right,
  type Process,
  type Stage,
} from '../test-support/stage.js'

const day = 86_400_000

describe('the replaced data of a file', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await createStage()
  })

  const as = () => ({ ...stage.as('admin'), requestId: 'r' })
  const create = () => right(stage.run(createObject(file), as(), { body: { title: 'F', filename: 'f.txt' } }))
  const upload = (id: string, text: string, { run }: Pick<Process, 'run'> = stage) =>
    right(run(uploadFile, as(), { id, contentType: 'text/plain', length: undefined, body: bodyOf(text) }))
  const restore = (id: string, version: number) =>
    right(stage.run(restoreVersion(file), as(), { id, version }))
  const read = async (id: string): Promise<string> => {
    const { download_url: url = null } = await right(
      stage.run(readObject(file), as(), { id, parameters: {} }),
    )
    const number = String(url).split('/').at(-1) ?? ''
    const found = await right(stage.run(downloadFile, as(), { fileId: id, upload: number, ...plainDownload }))
    if ('_tag' in found) throw new Error('the data was replaced')
    return textFrom(await found.read())
  }
  const orphans = async (): Promise<readonly string[]> => {
    const paths: string[] = []
    await stage.useCases.garbageCollection.eachOrphan(
      () => undefined,
      (path) => paths.push(path),
    )
    return paths
  }
  const blobs = async (): Promise<number> => {
    let count = 0
    for await (const _entry of stage.blobs.list('')) count += 1
    return count
  }

  it('remains with its version, and comes back with it as new data', async () => {
    const id = await create()
    const { upload: first } = await upload(id, 'one')
    await upload(id, 'two')
    await right(stage.run(changeObject(file), as(), { id, body: { title: 'G' } }))
    expect(await blobs()).to.equal(2)
    const { items } = await right(stage.run(listVersions(file), as(), { id, parameters: {} }))
    expect(items.map(({ operation }) => operation)).to.deep.equal([
      'changeObject',
      'uploadFile',
      'uploadFile',
      'createObject',
    ])
    await restore(id, 2)
    expect(await read(id)).to.equal('one')
    const state = (await right(stage.documents.get('files', 1, id)))?.value ?? {}
    expect(state['upload']).to.be.above(Number(first))
    expect(state).to.include({ title: 'F', byte_size: 3 })
    await restore(id, 3)
    expect(await read(id)).to.equal('two')
    // A version without data keeps the data.
    await restore(id, 1)
    expect(await read(id)).to.equal('two')
    expect(await blobs()).to.equal(2)
  })

  it('is no orphan until its time has ended, and is removed then', async () => {
    const id = await create()
    await upload(id, 'one')
    await upload(id, 'two')
    stage.clock.advance(29 * day)
    await upload(id, 'three')
    expect(await stage.useCases.expireReplacedData()).to.equal(0)
    expect(await orphans()).to.deep.equal([])
    // It is not restored in the hour before it is removed.
    stage.clock.advance(day - 60_000)
    await restore(id, 2)
    expect(await read(id)).to.equal('three')
    stage.clock.advance(120_000)
    expect(await stage.useCases.expireReplacedData()).to.equal(1)
    expect(await stage.useCases.expireReplacedData()).to.equal(0)
    expect(await blobs()).to.equal(2)
    await restore(id, 3)
    expect(await read(id)).to.equal('two')
    stage.clock.advance(31 * day)
    expect(await stage.useCases.expireReplacedData()).to.equal(1)
    expect(await read(id)).to.equal('two')
    expect(await blobs()).to.equal(1)
  })

  it('that no process has removed in time is an orphan', async () => {
    const id = await create()
    await upload(id, 'one')
    await upload(id, 'two')
    stage.clock.advance(40 * day)
    expect(await orphans()).to.have.lengthOf(1)
  })

  it('is deleted for good with the file', async () => {
    const id = await create()
    await upload(id, 'one')
    await upload(id, 'two')
    await right(stage.run(removeObject(file), as(), { id }))
    expect(await blobs()).to.equal(2)
    await right(stage.run(removeFromTrash, as(), { collection: 'files', id }))
    expect(await blobs()).to.equal(0)
  })

  it('is removed at once where that is configured, and of changes without a record', async () => {
    const id = await create()
    await upload(id, 'one')
    await upload(id, 'two', processOver(stage, { ...deployment, replacedDataTime: 0 }))
    expect(await blobs()).to.equal(1)
    const data = { id, contentType: 'text/plain', length: undefined, body: bodyOf('three') }
    await right(stage.run(uploadFile, stage.as('admin'), data))
    expect(await blobs()).to.equal(1)
  })
})
