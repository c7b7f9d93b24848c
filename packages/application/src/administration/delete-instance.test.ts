/** Deleting an instance with all its data, including interrupted deletions. */
import { memoryBlobStore } from '@publishing-service/adapter-memory'
import { content, file, notFound, section, tag, type Resource } from '@publishing-service/domain'
import { E, TE, type TaskEither } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { unreadable, type BlobStore, type DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { changeSettings } from '../access/settings.js'
import { userCommands } from '../test-support/user-commands.js'
import { collections } from '../collections.js'
import type { Outcome } from '../failure.js'
import { uploadFile } from '../files/upload-file.js'
import { createObject, replaceObject } from '../engine/write.js'
import { bodyOf } from '../test-support/ascii.js'
import { controllableStore } from '../test-support/controllable-document-store.js'
import {
  article,
  aSection,
  createStage,
  deployment,
  faultsOf,
  left,
  right,
  type Stage,
  thrownBy,
  storedIn,
} from '../test-support/stage.js'
import { createUseCases, type UseCases } from '../use-cases.js'
import { memoryDocuments } from '../test-support/memory-documents.js'
import type { Documents } from '../ports.js'

const title = 'Doomed'

/** Both stores, whose call of this number and all later ones never return, as where the process was killed. */
const killedAt = (call: number, stores: { documents: DocumentStore; blobs: BlobStore }) => {
  let calls = 0
  let kill = (): void => undefined
  const killed = new Promise<'killed'>((resolve) => {
    kill = () => resolve('killed')
  })
  const counted =
    <F, A>(task: TaskEither<F, A>): TaskEither<F, A> =>
    () => {
      calls += 1
      if (calls < call) return task()
      kill()
      return new Promise(() => undefined)
    }
  const { documents, blobs } = stores
  return {
    killed,
    stores: {
      documents: {
        ...documents,
        find: (...args) => counted(documents.find(...args)),
        write: (...args) => counted(documents.write(...args)),
      } satisfies DocumentStore,
      blobs: { ...blobs, remove: (path) => counted(blobs.remove(path)) } satisfies BlobStore,
    },
  }
}

describe('deleting an instance', () => {
  let documents: Documents
  let blobs: BlobStore
  let stage: Stage
  let useCases: UseCases
  let user: string
  beforeEach(async () => {
    documents = memoryDocuments()
    blobs = memoryBlobStore()
    stage = await createStage({ documents, blobs })
    useCases = stage.useCases
    await right(useCases.administerInstances.create({ title, timezone: 'UTC' }))
    for (const number of [1, 2]) await fill(number)
    user = (await right(userCommands(stage).create('of both'))).user
    await right(userCommands(stage).grant(user, 1, 'reader'))
    await right(userCommands(stage).grant(user, 2, 'admin'))
    await right(useCases.administerKeys.create({ user, apiKey: 'both', apiSecret: 'the-secret-of-both' }))
    for (const [instance, apiKey] of [
      [1, 'one'],
      [2, 'two'],
    ] as const)
      await right(
        useCases.administerKeys.create({
          instance,
          role: 'editor',
          apiKey,
          apiSecret: `the-secret-of-${apiKey}`,
        }),
      )
  })

  const fill = async (number: number): Promise<void> => {
    const admin = stage.as('admin', number)
    const write = (resource: Resource, body: JsonObject) =>
      right(stage.run(createObject(resource), admin, { body }))
    await write(section, aSection('s'))
    for (let count = 0; count < 5; count += 1) await write(content, article(`a-${count}`))
    await write(tag, { last_name_or_title: 'T', urlname: 't' })
    const id = `33333333-3333-4333-8333-33333333333${number}`
    await right(stage.run(replaceObject(file), admin, { id, body: { title: 'F', filename: 'f.zip' } }))
    const upload = { id, contentType: 'application/zip', length: undefined, body: bodyOf('data') }
    await right(stage.run(uploadFile, admin, upload))
  }

  const wait = async (milliseconds: number): Promise<void> => stage.clock.advance(milliseconds)
  const request = { number: 2, title, wait }

  /** The documents of an instance by collection, and its blobs. */
  const leftOf = async (number: number): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {}
    for (const { name } of collections) {
      const { length } = await storedIn(documents, name, number)
      if (length > 0) counts[name] = length
    }
    for await (const { key } of blobs.list(String(number))) counts[key] = 1
    return counts
  }

  const tokenFor = (apiKey: string) =>
    useCases.exchangeToken({
      grantType: 'client_credentials',
      apiKey,
      apiSecret: `the-secret-of-${apiKey}`,
      address: 'a',
    })

  const expectDeleted = async (others: Readonly<Record<string, number>>): Promise<void> => {
    expect(await leftOf(2)).to.deep.equal({})
    expect(await leftOf(1)).to.deep.equal(others)
    expect(await left(useCases.instances.find(2))).to.deep.equal(notFound)
    expect((await right(useCases.administerInstances.list())).map(({ id }) => id)).to.deep.equal([1])
    expect((await right(useCases.administerKeys.list())).map((key) => key.api_key)).to.deep.equal([
      'both',
      'one',
    ])
    for (const row of await useCases.administerUsers.list())
      expect(row.roles.map(({ instance }) => instance)).to.deep.equal([1])
    expect(await left(useCases.deleteInstance.run(request))).to.deep.equal(notFound)
  }

  it('removes its documents, blobs, roles, and keys of users without other roles, but no data of other instances', async () => {
    const [before, others] = [await leftOf(2), await leftOf(1)]
    expect(Object.keys(before)).to.include.members(['content', 'files', 'homepage', 'tag_categories'])
    const deleted = await right(useCases.deleteInstance.run(request))
    const count = Object.entries(before).reduce(
      (sum, [name, each]) => sum + (name.includes('/') ? 0 : each),
      0,
    )
    expect(deleted).to.deep.equal({ id: 2, title, documents: count, keys: 1 })
    await expectDeleted(others)
    expect((await right(tokenFor('both'))).roles).to.deep.equal([{ instance: 1, roles: ['reader'] }])
    expect(await left(tokenFor('two'))).to.deep.equal({ _tag: 'InvalidClient' })
  })

  it('takes effect in every process before it has ended, even for tokens in use', async () => {
    const other = stage.anotherProcess()
    const both = (await right(tokenFor('both'))).accessToken
    const two = (await right(tokenFor('two'))).accessToken
    for (const { principals, instances } of [useCases, other]) {
      await right(principals(both))
      await right(principals(two))
      await right(instances.find(2))
    }
    await right(useCases.deleteInstance.run(request))
    for (const { principals, instances } of [useCases, other]) {
      expect((await right(principals(both))).roles.has(2)).to.equal(false)
      expect(await left(principals(two))).to.deep.equal({ _tag: 'InvalidToken' })
      expect(await left(instances.find(2))).to.deep.equal(notFound)
    }
  })

  it('ends writes at once on this process, those included that have begun before', async () => {
    const controllable = controllableStore(documents)
    const process = stage.anotherProcess({ documents: controllable })
    const write = (urlname: string) =>
      process.run(createObject(section), stage.as('admin', 2), { body: aSection(urlname) })
    const held = controllable.hold('insert', 'sections')
    const overtaken = left(write('overtaken'))
    await held.reached
    await right(process.deleteInstance.begin({ number: 2, title }))
    expect(await left(write('late'))).to.deep.equal(notFound)
    held.release()
    expect(await overtaken).to.deep.equal(notFound)
  })

  it('needs the title, and an instance', async () => {
    const before = await leftOf(2)
    expect(await faultsOf(useCases.deleteInstance.run({ ...request, title: 'doomed' }))).to.have.keys([
      'title',
    ])
    expect(await left(useCases.deleteInstance.run({ ...request, number: 7 }))).to.deep.equal(notFound)
    expect(await leftOf(2)).to.deep.equal(before)
    await right(useCases.instances.find(2))
  })

  it('is completed by a second run or by a running service after a crash at any call', async () => {
    const others = await leftOf(1)
    let call = 1
    for (; ; call += 1) {
      const { killed, stores } = killedAt(call, { documents, blobs })
      const process = createUseCases({ ...stage, ...stores }, deployment)
      if ((await Promise.race([process.deleteInstance.run(request)(), killed])) !== 'killed') break
      stage.clock.advance(5000)
      if (call % 2 === 0) await useCases.deleteInstance.finish()
      // If it was killed before the mark, there is nothing to finish; after the last call, there is nothing left.
      const again = await useCases.deleteInstance.run(request)()
      if (E.isLeft(again)) expect(again.left).to.deep.equal(notFound)
      await expectDeleted(others)
      await restore()
    }
    await expectDeleted(others)
    expect(call).to.be.above(50)
  })

  /** The instance again, with the same content, under the same number: only a test writes its mark away. */
  const restore = async (): Promise<void> => {
    const mark = await right(documents.get('instances', 0, '2'))
    if (mark === null) throw new Error('no mark')
    await right(documents.remove('instances', 0, '2', mark.version))
    await right(useCases.administerInstances.create({ title, timezone: 'UTC', number: 2 }))
    stage.clock.advance(5000)
    await fill(2)
    await right(userCommands(stage).grant(user, 2, 'admin'))
    await right(
      useCases.administerKeys.create({
        instance: 2,
        role: 'editor',
        apiKey: 'two',
        apiSecret: 'the-secret-of-two',
      }),
    )
  }

  it('does not reuse its number', async () => {
    await right(useCases.deleteInstance.run(request))
    const settings = { title: 'Later', timezone: 'UTC' }
    expect((await right(useCases.administerInstances.create(settings))).id).to.equal(3)
    expect(await faultsOf(useCases.administerInstances.create({ ...settings, number: 2 }))).to.deep.equal({
      number: 'is taken: instance 2 was deleted',
    })
    expect(await leftOf(2)).to.deep.equal({})
    expect(await faultsOf(userCommands(stage).grant(user, 2, 'reader'))).to.have.keys(['instance'])
    expect(await faultsOf(useCases.administerKeys.create({ instance: 2, role: 'reader' }))).to.have.keys([
      'instance',
    ])
    expect(
      await left(stage.run(changeSettings, stage.as('admin', 2), { body: { title: 'Again' } })),
    ).to.deep.equal(notFound)
  })

  it('removes data that running requests write in the meantime', async () => {
    const other = stage.anotherProcess()
    const caller = { instance: await right(other.instances.find(2)), strict: false }
    const create = (input: Outcome<{ readonly body: JsonObject }>) =>
      other.execute(createObject(content), stage.as('admin', 2), input)
    const writing = async (milliseconds: number): Promise<void> => {
      await right(create(TE.right({ body: article('late') })))
      stage.clock.advance(milliseconds)
    }
    // The body of this request arrives after the deletion has ended.
    const overtaken = create(async () => {
      await right(useCases.deleteInstance.run({ ...request, wait: writing }))
      expect(await leftOf(2)).to.deep.equal({})
      return E.right({ body: article('later') })
    })
    expect(await left(overtaken)).to.deep.equal(notFound)
    // The object, and the document of its place.
    expect(await useCases.deleteInstance.finish()).to.equal(2)
    expect(await useCases.deleteInstance.finish()).to.equal(0)
    expect(await leftOf(2)).to.deep.equal({})
    expect(await thrownBy(() => other.instances.change(caller, 'patch', { title: 'Back' }))).to.deep.equal(
      notFound,
    )
  })

  it('removes nothing if the blob store belongs to other documents', async () => {
    await right(useCases.storeIdentity.establish({ adopt: false, sample: async () => [] }))
    const before = await leftOf(2)
    const { deleteInstance } = stage.anotherProcess({ blobs: memoryBlobStore() })
    const refusal = { _tag: 'PortFailure', part: 'blob store' }
    expect(await left(deleteInstance.run(request))).to.include(refusal)
    await right(useCases.instances.find(2))
    expect(await leftOf(2)).to.deep.equal(before)
    await right(useCases.deleteInstance.run(request))
    const refused = await deleteInstance.finish().catch((error: unknown) => error)
    expect(refused).to.include(refusal)
  })

  it('removes damaged documents too', async () => {
    const damaged: DocumentStore = {
      ...documents,
      find: (collection, instance, query) => async () => {
        const found = await documents.find(collection, instance, query)()
        if (E.isLeft(found) || collection !== 'content') return found
        return E.right({
          ...found.right,
          documents: found.right.documents.map((each) => ({ ...each, value: unreadable })),
        })
      },
    }
    const others = await leftOf(1)
    await right(stage.anotherProcess({ documents: damaged }).deleteInstance.run(request))
    await expectDeleted(others)
  })
})
