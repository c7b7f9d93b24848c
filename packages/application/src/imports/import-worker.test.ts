/** Imports that the service runs by itself (docs/behaviour/imports.md). */
import { memoryBlobStore, overlayDocumentStore } from '@publishing-service/adapter-memory'
import { content, file } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { importedObject, importRecord, importTime, mostOpenImports } from '@publishing-service/domain/imports'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { portFailure } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections, systemCollections } from '../collections.js'
import { leaseTime } from '../lease.js'
import type { InstanceRequest } from '../operation-request.js'
import {
  createImport,
  listImportLines,
  listImports,
  listInstanceAudit,
  listObjects,
  readImport,
  removeImport,
  uploadFile,
} from '../operations.js'
import { createStage, faultsOf, left, right, storedIn, type Stage } from '../test-support/stage.js'
import { userCommands, type UserCommands } from '../test-support/user-commands.js'
import type { ImportFiles, ImportWorker } from './import-worker.js'
import { uniqueTexts } from './unique-texts.js'

const count = 7

/** A file of so many articles; the third has an attribute that is refused, and the fourth no title. */
const records = Array.from({ length: count }, (_, index) =>
  importRecord({
    origin: { source: `post ${index}`, title: `Post ${index}`, line: index + 1 },
    object: importedObject({
      collection: 'content',
      id: `5d0c7a52-1e4b-4f6a-9d88-00000000000${index}`,
      attributes: {
        content_type: 'article',
        ...(index === 3 ? {} : { title: `Post ${index}` }),
        urlname: `post-${index}`,
        ...(index === 2 ? { issued: 'yesterday' } : {}),
      },
    }),
  }),
)

describe('the worker of imports', () => {
  let stage: Stage
  let users: UserCommands
  let admin: InstanceRequest
  let user: string
  /** Called before each record is read. */
  let onRecord: (index: number) => Promise<void>
  /** What was opened, and is not closed. */
  let open: number

  const files: ImportFiles = {
    open: async (_kind, _options, _place, body) => {
      let bytes = 0
      for await (const piece of body) bytes += piece.length
      if (bytes > 4) return E.left('it is no export')
      open += 1
      const opened = {
        total: count,
        records: async function* () {
          for (const [index, record] of records.entries()) {
            await onRecord(index)
            yield record
          }
        },
      }
      return E.right({
        source: opened,
        media: null,
        close: async () => {
          open -= 1
        },
      })
    },
    fetchMedia: async ({ address }) => E.left(`${address} cannot be fetched`),
    openTrial: async () => {
      const documents = overlayDocumentStore(stage.documents, collections, uniqueTexts)
      open += 1
      return {
        sessions: stage.anotherProcess({ documents, blobs: memoryBlobStore() }).sessions,
        afterRecord: async () => undefined,
        close: async () => {
          open -= 1
        },
      }
    },
  }

  beforeEach(async () => {
    stage = await createStage()
    users = userCommands(stage)
    ;({ user } = await right(users.create('Ada')))
    await right(users.grant(user, 1, 'admin'))
    const { identity, ...request } = stage.as('admin')
    if (identity === null || E.isLeft(identity)) throw new Error('nobody')
    admin = { ...request, identity: E.right({ ...identity.right, id: user, user: 'Ada' }), requestId: 'r' }
    onRecord = async () => undefined
    open = 0
  })

  const workerOf = (process = stage.useCases): ImportWorker => process.createImportWorker(files)

  const upload = async (text: string): Promise<string> => {
    const id = await stage.create(file, { title: 'An export', filename: 'export.xml' })
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.from(text, (character) => character.charCodeAt(0))
    }
    await right(
      stage.run(uploadFile, admin, { id, contentType: 'application/xml', length: text.length, body: body() }),
    )
    return id
  }

  const begin = async (more: JsonObject = {}, text = '<a/>'): Promise<string> =>
    right(
      stage.run(createImport, admin, {
        body: { kind: 'wordpress', file_uuid: await upload(text), ...more },
      }),
    )
  const read = (id: string): Promise<JsonObject> => right(stage.run(readImport, admin, { id }))
  const countsOf = async (id: string): Promise<JsonObject> => {
    const { counts } = await read(id)
    return isJsonObject(counts) ? counts : {}
  }
  const lines = async (id: string, parameters = {}) =>
    (await right(stage.run(listImportLines, admin, { id, parameters }))).items
  const titles = async (): Promise<number> =>
    (await right(stage.run(listObjects(content), admin, { parameters: {} }))).items.length

  it('imports what a file contains, and reports what is different or refused', async () => {
    const id = await begin()
    expect(await read(id)).to.include({ state: 'waiting', done: 0, total: null, problem: null })
    await workerOf().queue.step()
    expect(await read(id)).to.include({ state: 'finished', done: count, total: count, seconds_left: null })
    expect(await countsOf(id)).to.include({ created: count - 1, refused: 1, present: 0 })
    const shown = await lines(id, { fields: 'number,source,line,outcome,object' })
    expect(shown).to.deep.equal([
      [1, 'post 2', 3, 'created', records[2]?.object?.id],
      [2, 'post 3', 4, 'refused', records[3]?.object?.id],
    ])
    expect(await lines(id, { fields: 'number', outcome: 'refused' })).to.deep.equal([[2]])
    expect(await titles()).to.equal(count - 1)
    expect(open).to.equal(0)
    const { items } = await right(
      stage.run(listInstanceAudit, admin, { parameters: { fields: 'operation,name,request', rpp: '100' } }),
    )
    expect(items.filter(([operation]) => operation === 'replaceObject')).to.deep.equal(
      Array.from({ length: count - 1 }, () => ['replaceObject', 'Ada', id]),
    )
  })

  it('makes nothing twice, and writes nothing in a dry run', async () => {
    const worker = workerOf()
    const tried = await begin({ dry_run: true })
    await worker.queue.step()
    expect(await countsOf(tried)).to.include({ created: count - 1, refused: 1 })
    expect(await titles()).to.equal(0)
    expect(open).to.equal(0)
    const beginLater = (more: JsonObject = {}): Promise<string> => {
      stage.clock.advance(1)
      return begin(more)
    }
    const [first, second, third] = [
      await beginLater(),
      await beginLater(),
      await beginLater({ replace: true }),
    ]
    for (let step = 0; step < 3; step += 1) await worker.queue.step()
    expect(await countsOf(first)).to.include({ created: count - 1 })
    expect(await countsOf(second)).to.include({ created: 0, present: count - 1, refused: 1 })
    expect(await countsOf(third)).to.include({ created: 0, replaced: count - 1 })
    expect(await titles()).to.equal(count - 1)
    // A dry run finds the objects that exist.
    for (const [more, found] of [
      [{ dry_run: true }, second],
      [{ dry_run: true, replace: true }, third],
    ] as const) {
      const again = await beginLater(more)
      await worker.queue.step()
      expect(await countsOf(again)).to.deep.equal(await countsOf(found))
    }
  })

  it('says why an import has failed', async () => {
    const worker = workerOf()
    const failed = await begin({}, 'no export')
    await worker.queue.step()
    expect(await read(failed)).to.include({ state: 'failed', problem: 'it is no export', total: null })
    const id = await begin()
    onRecord = async (index) => {
      if (index !== 3) return
      stage.clock.advance(2000)
      await right(users.revokeRole(user, { instance: 1, role: 'admin' }))
      await right(users.grant(user, 1, 'reader'))
    }
    await worker.queue.step()
    expect(await read(id)).to.include({ state: 'failed', done: 3 })
    expect(await titles()).to.equal(3)
    expect(open).to.equal(0)
  })

  it('goes on after a failure of the store, and in another process', async () => {
    const id = await begin()
    const [first, second] = [workerOf(), workerOf(stage.anotherProcess())]
    onRecord = async (index) => {
      stage.clock.advance(1000)
      await first.queue.renew()
      if (index === 4) throw portFailure('a store', 'it is out of reach')
    }
    const failure = await first.queue.step().then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure).to.have.property('_tag', 'PortFailure')
    expect(await read(id)).to.include({ state: 'running', done: 4, total: count })
    onRecord = async () => undefined
    expect(await second.queue.step()).to.be.above(0)
    expect(await second.queue.step()).to.be.above(0)
    expect(await read(id)).to.include({ state: 'running', done: 4 })
    stage.clock.advance(9000)
    await second.queue.step()
    expect(await read(id)).to.include({ state: 'finished', done: count })
    expect(await countsOf(id)).to.include({ created: count - 1, refused: 1, present: 0 })
    expect(await lines(id, { fields: 'number,source' })).to.deep.equal([
      [1, 'post 2'],
      [2, 'post 3'],
    ])
  })

  const stopped = async (more: JsonObject): Promise<void> => {
    const id = await begin(more)
    const first = workerOf()
    const stops: Promise<void>[] = []
    onRecord = async (index) => {
      if (index === 2) stops.push(first.queue.stop())
    }
    await first.queue.step()
    await Promise.all(stops)
    const { state, done } = await read(id)
    expect(state).to.equal('running')
    expect(done).to.be.below(count)
    await workerOf(stage.anotherProcess()).queue.step()
    expect(await read(id)).to.include({ state: 'finished', done: count })
    expect(await countsOf(id)).to.include({ created: count - 1, refused: 1 })
    expect(await lines(id)).to.have.lengthOf(2)
  }

  it('is stopped between two records, and goes on with the next start', () => stopped({}))

  it('is stopped and goes on as a dry run', () => stopped({ dry_run: true }))

  it('fails if it has ended the process several times, but not if there was progress', async () => {
    const id = await begin()
    /** Runs it in a process that ends at a record. */
    const endedBy = async (index: number): Promise<void> => {
      let isReached = false
      const reached = new Promise<void>((resolve) => {
        onRecord = async (at) => {
          stage.clock.advance(1000)
          if (at !== index) return
          isReached = true
          resolve()
          await new Promise(() => undefined)
        }
      })
      const worker = workerOf(stage.anotherProcess())
      // The lease of the process before ends a while after it is seen first.
      for (let look = 0; look < 2 && !isReached; look += 1) {
        await Promise.race([worker.queue.step(), reached])
        stage.clock.advance(leaseTime)
      }
    }
    for (let time = 0; time < 4; time += 1) await endedBy(0)
    expect(await read(id)).to.include({ state: 'running', done: 0 })
    await endedBy(3)
    expect(await read(id)).to.include({ state: 'running', done: 3 })
    for (let time = 0; time < 4; time += 1) await endedBy(0)
    expect(await read(id)).to.include({ state: 'running', done: 3 })
    await endedBy(0)
    const { state, problem } = await read(id)
    expect(state).to.equal('failed')
    expect(problem).to.match(/5 times/)
  })

  it('ends an import that is canceled, whose report remains until it is deleted', async () => {
    const waiting = await begin()
    await right(stage.run(removeImport, admin, { id: waiting }))
    const id = await begin()
    onRecord = async (index) => {
      stage.clock.advance(1000)
      if (index === 4) await right(stage.run(removeImport, admin, { id }))
    }
    const worker = workerOf()
    await worker.queue.step()
    await worker.queue.step()
    expect(await read(waiting)).to.include({ state: 'canceled', done: 0 })
    expect(await read(id)).to.include({ state: 'canceled', seconds_left: null })
    expect(await titles()).to.be.within(3, 5)
    expect(await lines(id)).to.have.lengthOf(2)
    await right(stage.run(removeImport, admin, { id }))
    expect(await left(stage.run(readImport, admin, { id }))).to.deep.equal({ _tag: 'NotFound' })
    const { items } = await right(stage.run(listImports, admin, { parameters: { fields: 'uuid' } }))
    expect(items).to.deep.equal([[waiting]])
    expect(await worker.expire()).to.equal(1)
    expect(await storedIn(stage.documents, systemCollections.importLines.name)).to.deep.equal([])
    stage.clock.advance(importTime + 1)
    expect(await worker.expire()).to.equal(1)
    expect(await storedIn(stage.documents, systemCollections.imports.name)).to.deep.equal([])
  })

  it('refuses imports of nothing, with wrong options, or of too many at once', async () => {
    const refused = (body: JsonObject) => faultsOf(stage.run(createImport, admin, { body }))
    const id = await upload('<a/>')
    expect(await refused({})).to.have.keys('kind', 'file_uuid')
    expect(await refused({ kind: 'wordpress', file_uuid: user })).to.have.keys('file_uuid')
    const empty = await stage.create(file, { title: 'Nothing', filename: 'a.xml' })
    expect(await refused({ kind: 'wordpress', file_uuid: empty })).to.have.keys('file_uuid')
    expect(await refused({ kind: 'ghost', file_uuid: id })).to.have.keys('options.site')
    expect(await refused({ kind: 'ghost', file_uuid: id, options: { site: 'no address' } })).to.have.keys(
      'options.site',
    )
    for (let number = 0; number < mostOpenImports; number += 1) await begin()
    expect(await refused({ kind: 'wordpress', file_uuid: id })).to.have.keys('')
  })

  it('belongs to its instance', async () => {
    const id = await begin()
    await right(stage.useCases.administerInstances.create({ title: 'The other', timezone: 'UTC' }))
    const other = stage.as('admin', 2)
    for (const outcome of [
      stage.run(readImport, other, { id }),
      stage.run(removeImport, other, { id }),
      stage.run(listImportLines, other, { id, parameters: {} }),
    ])
      expect(await left(outcome)).to.deep.equal({ _tag: 'NotFound' })
    expect((await right(stage.run(listImports, other, { parameters: {} }))).items).to.deep.equal([])
  })
})
