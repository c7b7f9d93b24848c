/** Exports that the service makes by itself (docs/behaviour/exports.md). */
import { content } from '@publishing-service/domain'
import { exportTime, mostOpenExports } from '@publishing-service/domain/jobs'
import type { JsonObject } from '@publishing-service/domain/json'
import { portFailure } from '@publishing-service/ports'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import type { InstanceRequest } from '../operation-request.js'
import { createExport, downloadExport, listExports, readExport, removeExport } from '../operations.js'
import { bytesOf, textOf } from '../test-support/ascii.js'
import { article, createStage, faultsOf, left, right, type Stage } from '../test-support/stage.js'
import { userCommands, type UserCommands } from '../test-support/user-commands.js'
import type { CreateBundleFile, ExportWorker } from './export-worker.js'

describe('the worker of exports', () => {
  let stage: Stage
  let users: UserCommands
  let admin: InstanceRequest
  let user: string
  /** Called with each piece of an entry. */
  let onPiece: (name: string) => Promise<void>
  let files: number

  /** Entries one after the other, each with its name. */
  const createFile: CreateBundleFile = async () => {
    files += 1
    let written = ''
    return {
      add: async (name, data) => {
        written += `<${name}>`
        for await (const piece of data) {
          await onPiece(name)
          written += typeof piece === 'string' ? piece : textOf(piece)
        }
      },
      complete: async () => written.length,
      read: async function* () {
        yield bytesOf(written)
      },
      remove: async () => {
        files -= 1
      },
    }
  }

  beforeEach(async () => {
    stage = await createStage()
    users = userCommands(stage)
    ;({ user } = await right(users.create('Ada')))
    await right(users.grant(user, 1, 'admin'))
    const { identity, ...request } = stage.as('admin')
    if (identity === null || E.isLeft(identity)) throw new Error('nobody')
    admin = { ...request, identity: E.right({ ...identity.right, id: user, user: 'Ada' }), requestId: 'r' }
    onPiece = async () => undefined
    files = 0
    await stage.create(content, article('one'))
  })

  const workerOf = (process = stage.useCases): ExportWorker => process.createExportWorker(createFile)
  const begin = (body: JsonObject = {}): Promise<string> => right(stage.run(createExport, admin, { body }))
  const read = (id: string): Promise<JsonObject> => right(stage.run(readExport, admin, { id }))
  const remove = (id: string) => right(stage.run(removeExport, admin, { id }))
  const blobs = async (): Promise<number> => {
    let count = 0
    for await (const _each of stage.blobs.list('exports')) count += 1
    return count
  }
  const downloaded = async (id: string): Promise<string> => {
    const { read: open } = await right(stage.run(downloadExport, admin, { id }))
    let text = ''
    for await (const chunk of await open()) text += textOf(chunk)
    return text
  }

  it('makes a file, which admins download until it is removed', async () => {
    const id = await begin()
    expect(await read(id)).to.include({ state: 'waiting', bytes: null, download_url: null })
    expect(await left(stage.run(downloadExport, admin, { id }))).to.deep.equal({ _tag: 'NotFound' })
    const worker = workerOf()
    await worker.queue.step()
    const { bytes, download_url: address, ...found } = await read(id)
    expect(found).to.include({ state: 'finished', problem: null, step: null, without_data: 0 })
    expect(address).to.equal(`https://api.example.org/1/exports/${id}/download`)
    const text = await downloaded(id)
    expect(text).to.have.lengthOf(Number(bytes))
    expect(text).to.include('"one"')
    expect(files).to.equal(0)
    await remove(id)
    expect(await left(stage.run(downloadExport, admin, { id }))).to.deep.equal({ _tag: 'NotFound' })
    expect(await blobs()).to.equal(1)
    expect(await worker.expire()).to.equal(1)
    expect(await blobs()).to.equal(0)
    const other = await begin()
    await worker.queue.step()
    stage.clock.advance(exportTime + 1)
    expect(await worker.expire()).to.equal(1)
    expect(await left(stage.run(readExport, admin, { id: other }))).to.deep.equal({ _tag: 'NotFound' })
    expect(await blobs()).to.equal(0)
  })

  it('ends an export that is canceled, without a file', async () => {
    const id = await begin()
    onPiece = async () => {
      stage.clock.advance(1000)
      await remove(id)
      onPiece = async () => undefined
    }
    await workerOf().queue.step()
    expect(await read(id)).to.include({ state: 'canceled', download_url: null })
    expect([files, await blobs()]).to.deep.equal([0, 0])
  })

  it('begins anew after a failure of the store, in this process or another', async () => {
    const id = await begin()
    const [first, second] = [workerOf(), workerOf(stage.anotherProcess())]
    onPiece = async () => {
      throw portFailure('a store', 'it is out of reach')
    }
    const failure = await first.queue.step().then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).to.have.property('_tag', 'PortFailure')
    expect(await read(id)).to.include({ state: 'running' })
    onPiece = async () => undefined
    await second.queue.step()
    expect(await read(id)).to.include({ state: 'running' })
    stage.clock.advance(9000)
    await second.queue.step()
    expect(await read(id)).to.include({ state: 'finished' })
    expect([files, await blobs()]).to.deep.equal([0, 1])
  })

  it('fails where the user may not export any more', async () => {
    const id = await begin()
    await right(users.revokeRole(user, { instance: 1, role: 'admin' }))
    await workerOf().queue.step()
    const { problem, state } = await right(stage.run(readExport, stage.as('admin'), { id }))
    expect(state).to.equal('failed')
    expect(problem).to.be.a('string')
    expect(await blobs()).to.equal(0)
  })

  it('belongs to its instance, which has few that wait', async () => {
    const id = await begin()
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const other = stage.as('admin', 2)
    for (const outcome of [
      stage.run(readExport, other, { id }),
      stage.run(removeExport, other, { id }),
      stage.run(downloadExport, other, { id }),
    ])
      expect(await left(outcome)).to.deep.equal({ _tag: 'NotFound' })
    expect((await right(stage.run(listExports, other, { parameters: {} }))).items).to.deep.equal([])
    for (let number = 1; number < mostOpenExports; number += 1) await begin()
    expect(await faultsOf(stage.run(createExport, admin, { body: {} }))).to.have.keys('')
  })
})
