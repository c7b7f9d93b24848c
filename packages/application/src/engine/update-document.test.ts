import { controlledClock, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { badParameters, fault, notFound } from '@publishing-service/domain'
import { E, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import { documentsIn } from '../instance-store.js'
import { createKeyedMutex } from '../keyed-mutex.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { forbidden, thrownBy, unavailable } from '../test-support/stage.js'
import { updateDocument, writeDocument, type UpdateDocument } from './update-document.js'
import type { Documents } from '../ports.js'
import { changing } from '../test-support/memory-documents.js'

const target = { collection: 'files', uniqueText: () => null }

describe('updating a document', () => {
  let documents: ControllableStore
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    await documents.insert('files', 1, { id: 'a', unique: null, value: { count: 0 } })()
  })

  /** Another process. */
  const anotherProcess = (store: Documents = documents) => ({
    documents: documentsIn(store, 1),
    exclusively: createKeyedMutex(),
    clock: controlledClock(0),
  })
  const updating = (store: Documents = documents): UpdateDocument => {
    const at = anotherProcess(store)
    return (...call) => updateDocument(at, ...call)
  }

  const add = (store: Documents = documents) =>
    updating(store)(target, 'a', async (value) => ({
      count: Number(value['count']) + 1,
    }))

  const stored = async (): Promise<JsonObject | undefined> => {
    const found = await documents.get('files', 1, 'a')()
    return E.isRight(found) ? found.right?.value : undefined
  }

  it('changes the document by the function and returns the new value', async () => {
    expect(await add()).to.deep.equal({ count: 1 })
    expect(await stored()).to.deep.equal({ count: 1 })
  })

  it('loses no concurrent increment, in one process or several', async () => {
    const update = updating()
    const here = Array.from({ length: 10 }, () =>
      update(target, 'a', async (value) => ({ count: Number(value['count']) + 1 })),
    )
    await Promise.all([...here, ...Array.from({ length: 5 }, () => add())])
    expect(await stored()).to.deep.equal({ count: 15 })
  })

  it('writes nothing if the value is unchanged or the function fails', async () => {
    const update = updating()
    documents.fail('replace', 'files')
    await update(target, 'a', async (value) => ({ ...value }))
    const refuse = async () => {
      throw forbidden
    }
    expect(await thrownBy(() => update(target, 'a', refuse))).to.deep.equal(forbidden)
    expect(await thrownBy(() => update(target, 'b', async (value) => value))).to.deep.equal(notFound)
  })

  it('inserts and removes a document, and has one of two insertions at once be the first', async () => {
    const at = anotherProcess()
    const first = async (found: JsonObject | null, name: string) => found ?? { name }
    const insert = (name: string) =>
      writeDocument(anotherProcess(), target, 'b', (found) => first(found, name))
    const [one, other] = await Promise.all([insert('one'), insert('other')])
    expect(one).to.deep.equal(other)
    expect(await writeDocument(at, target, 'b', async () => null)).to.equal(null)
    expect(await at.documents.get('files', 'b')).to.equal(null)
    expect(await writeDocument(at, target, 'b', async () => null)).to.equal(null)
  })

  it('names the fault of a value that is unique and taken', async () => {
    const taken = fault('name', 'taken', 'is taken')
    const named = { collection: 'files', uniqueText: ({ name }: JsonObject) => String(name), taken }
    const at = anotherProcess()
    const write = (id: string) => writeDocument(at, named, id, async () => ({ name: 'x' }))
    await write('b')
    expect(await thrownBy(() => write('c'))).to.deep.equal(badParameters([taken]))
  })

  it('reports failures of the store', async () => {
    const answering = (failure: 'UniqueConflict' | 'VersionConflict') =>
      changing(documents, 'replace', 'files', () => TE.left({ _tag: failure, change: 0 }))
    const contended = { _tag: 'Unavailable', retryAfter: 1 }
    expect(await thrownBy(() => add(answering('VersionConflict')))).to.deep.equal(contended)
    expect(await thrownBy(() => add(answering('UniqueConflict')))).to.deep.equal(contended)
    const tooLarge = changing(documents, 'replace', 'files', () =>
      TE.left({ _tag: 'DocumentTooLarge', limit: 9 }),
    )
    expect(await thrownBy(() => add(tooLarge))).to.deep.equal({ _tag: 'TooLarge', limit: 9 })
    for (const call of ['get', 'replace'] as const) {
      documents.fail(call, 'files')
      expect(await thrownBy(() => add())).to.deep.equal(unavailable)
    }
  })
})
