import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import {
  copied,
  createPublications,
  emptyStores,
  contentsOf,
  recordProgress,
  putBlob,
  type Stores,
} from '../test-support/copied-publication.js'
import { article, faultsOf, right, type Stage } from '../test-support/stage.js'
import { userCommands } from '../test-support/user-commands.js'
import { createObject } from '../engine/write.js'
import type { CopyFailure } from './copy-failure.js'
import type { CopyResult } from './copy-run.js'

const done = async (...request: Parameters<typeof copied>): Promise<CopyResult> => {
  const result = await copied(...request)
  if (E.isLeft(result)) throw new Error(`refused: ${JSON.stringify(result.left)}`)
  return result.right
}

const refused = async (...request: Parameters<typeof copied>): Promise<CopyFailure> => {
  const result = await copied(...request)
  if (E.isRight(result)) throw new Error(`done: ${JSON.stringify(result.right)}`)
  return result.left
}

const nothing = { partitions: [], blobs: 0 }

describe('copyStorage', () => {
  let from: Stores
  let to: Stores
  let stage: Stage
  beforeEach(async () => {
    from = emptyStores()
    to = emptyStores()
    stage = await createPublications(from)
  })

  it('copies every document of every instance, in its order, and every blob, and leaves no mark', async () => {
    const before = await contentsOf(from)
    const result = await done(from, to)
    expect(await contentsOf(to)).to.deep.equal(before)
    expect(await contentsOf(from)).to.deep.equal(before)
    expect(result).to.deep.equal({
      instances: 2,
      keys: 2,
      documents: before.documents.length,
      blobs: 7,
      bytes: Object.values(before.blobs).join('').length,
      resumed: false,
    })
  })

  it('copies the mark of a deleted instance, and what its deletion has not removed yet', async () => {
    const wait = async (): Promise<void> => undefined
    await right(stage.useCases.deleteInstance.run({ number: 2, title: 'The other', wait }))
    await right(from.documents.insert('content', 2, { id: 'late', unique: null, value: { title: 'late' } }))
    expect(await done(from, to)).to.include({ instances: 1, keys: 1 })
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(from))
    const { administerInstances, deleteInstance } = stage.anotherProcess(to)
    expect((await right(administerInstances.create({ title: 'New', timezone: 'UTC' }))).id).to.equal(3)
    stage.clock.advance(5000)
    expect(await deleteInstance.finish()).to.equal(1)
  })

  it('copies back to equal stores', async () => {
    const back = emptyStores()
    await done(from, to)
    await done(to, back)
    expect(await contentsOf(back)).to.deep.equal(await contentsOf(from))
  })

  it('preserves uniqueness keys: urlnames, and the purposes of keys', async () => {
    await done(from, to)
    const another = stage.anotherProcess(to)
    const taken = { body: article('article-5') }
    expect(await faultsOf(another.run(createObject(content), stage.as('admin'), taken))).to.have.keys(
      'urlname',
    )
    const key = { instance: 1, role: 'admin', purpose: 'first' }
    expect(await faultsOf(another.administerKeys.create(key))).to.have.keys('purpose')
  })

  it('preserves uniqueness keys: the e-mail addresses of users', async () => {
    const email = 'ada@example.org'
    const { create, change } = userCommands(stage)
    const { user } = await right(create('Ada'))
    await right(change(user, { email }, true))
    await done(from, to)
    const another = { id: 'another', unique: email, value: {} }
    const inserted = await to.documents.insert('users', 0, another)()
    expect(inserted).to.deep.equal(E.left({ _tag: 'UniqueConflict', change: 0 }))
  })

  it('copies a key whose purpose was freed, and the one that took it', async () => {
    const [first] = await right(stage.useCases.administerKeys.list())
    await right(stage.useCases.administerKeys.revoke(first?.api_key ?? '', true))
    await right(stage.useCases.administerKeys.create({ instance: 1, role: 'admin', purpose: 'first' }))
    expect((await done(from, to)).keys).to.equal(3)
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(from))
  })

  it('does not copy blobs if both sides have the same blob store', async () => {
    const result = await done(from, to, { sharesBlobs: true })
    expect(result).to.include({ blobs: 0, bytes: 0 })
    expect(await contentsOf(to)).to.deep.equal({ ...(await contentsOf(from)), blobs: {} })
  })

  it('reports the progress of each step up to its end', async () => {
    const { reported, onProgress } = recordProgress()
    const { documents: all, bytes } = await done(from, to, { onProgress })
    // The identity is written at the start and at the end.
    const documents = all - 1
    for (const [step, total] of [
      ['copy documents', documents],
      ['copy blobs', bytes],
      ['compare documents', documents],
      ['compare blobs', bytes],
    ] as const) {
      const own = reported.filter((progress) => progress.step === step)
      expect(own.map((progress) => progress.total)).to.deep.equal(own.map(() => total))
      expect(own.map((progress) => progress.done)).to.deep.equal(
        own.map((progress) => progress.done).toSorted((one, other) => one - other),
      )
      expect([own[0]?.done, own.at(-1)?.done]).to.deep.equal([0, total])
    }
  })

  describe('rejects, without writing anything,', () => {
    const untouched = async (...request: Parameters<typeof copied>): Promise<CopyFailure> => {
      const before = [await contentsOf(from), await contentsOf(to)]
      const failure = await refused(...request)
      expect([await contentsOf(from), await contentsOf(to)]).to.deep.equal(before)
      return failure
    }

    it('a source without an instance', async () => {
      from = emptyStores()
      expect(await untouched(from, to)).to.deep.equal({ _tag: 'SourceEmpty' })
    })

    it('a target with documents of any collection', async () => {
      for (const [collection, instance] of [
        ['keys', 0],
        ['tags', 2],
      ] as const) {
        to = emptyStores()
        await to.documents.insert(collection, instance, { id: 'x', unique: null, value: {} })()
        expect(await untouched(from, to)).to.deep.equal({
          _tag: 'TargetNotEmpty',
          part: 'documents',
        })
      }
    })

    it('a target with blobs', async () => {
      await putBlob(to, 'some/blob', 'data')
      expect(await untouched(from, to)).to.deep.equal({ _tag: 'TargetNotEmpty', part: 'blobs' })
    })

    it('a source whose blobs belong to another', async () => {
      const stranger = { ...from, blobs: emptyStores().blobs }
      const failure = await untouched(stranger, to)
      expect(failure).to.include({ _tag: 'DataMissing', instance: 1 })
    })

    it('the target of a completed copy', async () => {
      await done(from, to)
      expect(await untouched(from, to)).to.deep.include({ _tag: 'TargetNotEmpty' })
    })
  })

  describe('detects at the end', () => {
    /** A copy in which something happens between copying and comparing. */
    const interfered = (act: () => Promise<void>): Promise<CopyFailure> => {
      let isBegun = false
      let due: (() => Promise<void>) | null = null
      const find: DocumentStore['find'] = (...call) => {
        const found = from.documents.find(...call)
        return async () => {
          const acting = due
          due = null
          await acting?.()
          return found()
        }
      }
      return refused({ ...from, documents: { ...from.documents, find } }, to, {
        onProgress: ({ step }) => {
          if (step !== 'compare documents' || isBegun) return
          isBegun = true
          due = act
        },
      })
    }

    const expectHealed = async (): Promise<void> => {
      expect(await done(from, to)).to.include({ resumed: true })
      expect(await contentsOf(to)).to.deep.equal(await contentsOf(from))
    }

    const derivatives = async (): Promise<readonly string[]> =>
      Object.keys((await contentsOf(from)).blobs).filter((key) => key.endsWith('40x30-test'))

    it('changes in the source in the meantime, which the next run copies', async () => {
      const [gone = ''] = await derivatives()
      const failure = await interfered(async () => {
        await stage.create(content, article('late'))
        await right(stage.useCases.administerInstances.create({ title: 'Late', timezone: 'UTC' }))
        await from.blobs.remove(gone)()
        await putBlob(from, 'late/blob', 'data')
      })
      expect(failure).to.deep.equal({
        _tag: 'CopyDiffers',
        changed: {
          partitions: [
            { instance: 0, collection: 'instances' },
            { instance: 1, collection: 'content' },
            { instance: 1, collection: 'places' },
          ],
          blobs: 2,
        },
        damaged: nothing,
      })
      await expectHealed()
    })

    it('differences in the target, which the next run copies', async () => {
      const [damaged = ''] = await derivatives()
      const failure = await interfered(async () => {
        const { documents } = await contentsOf(to)
        const idAt = (wanted: string): string => documents.find(({ place }) => place === wanted)?.id ?? ''
        await to.documents.replace('tags', 1, { id: idAt('1/tags'), version: 1, unique: null, value: {} })()
        await to.documents.remove('users', 0, idAt('0/users'), 1)()
        await putBlob(to, damaged, 'one, made SMALL')
      })
      expect(failure).to.deep.equal({
        _tag: 'CopyDiffers',
        changed: nothing,
        damaged: {
          partitions: [
            { instance: 0, collection: 'users' },
            { instance: 1, collection: 'tags' },
          ],
          blobs: 1,
        },
      })
      await expectHealed()
    })
  })
})
