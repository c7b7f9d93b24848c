import { sha256Checksum } from '@publishing-service/adapter-system'
import { E } from '@publishing-service/domain/fp'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { collections, systemCollections } from './collections.js'
import { belongTogether, createStoreIdentity, type SampleData } from './store-identity.js'
import { bodyOf, textFrom } from './test-support/ascii.js'
import { controllableStore, type ControllableStore } from './test-support/controllable-document-store.js'
import { unavailable, right } from './test-support/stage.js'
import { memoryBlobStore, memoryDocumentStore, recordingLog } from '@publishing-service/adapter-memory'
import type { Documents } from './ports.js'

const photograph = 'a photograph'
const sampleOf = (text: string): SampleData => {
  const sum = sha256Checksum()
  sum.add(text)
  return { instance: 1, fileId: 'sample-file', bytes: text.length, sha256: sum.value() }
}
const sample = async (): Promise<readonly SampleData[]> => [sampleOf(photograph)]

describe('whether stores belong together', () => {
  const [x, y] = ['x', 'y']
  /** The id of the documents, whether they are empty, the id of the blobs, foreign blobs: whether a start continues. */
  const table: readonly (readonly [string | null, boolean, string | null, number, boolean])[] = [
    [null, true, null, 0, true],
    [null, true, y, 0, true],
    [null, true, null, 1, false],
    [null, true, y, 1, false],
    [null, false, null, 0, true],
    [null, false, null, 1, true],
    [null, false, y, 0, false],
    [null, false, y, 1, false],
    [x, false, x, 0, true],
    [x, false, x, 1, true],
    [x, true, x, 1, true],
    [x, false, y, 0, false],
    [x, false, y, 1, false],
    [x, true, y, 0, false],
    [x, false, null, 0, false],
    [x, false, null, 1, false],
    [x, true, null, 0, false],
  ]
  for (const [id, isEmpty, blobId, foreign, expected] of table)
    it(`${expected ? 'yes' : 'no'}: documents with ${id}, ${isEmpty ? 'empty' : 'filled'}; blobs with ${blobId}, ${foreign} foreign`, () => {
      const found = { documents: { id, isEmpty }, blobs: { id: blobId, foreign } }
      expect(belongTogether(found, false)).to.equal(expected)
      expect(belongTogether(found, true)).to.equal(true)
    })
})

describe('store identity', () => {
  let documents: ControllableStore
  let blobs: BlobStore
  let count: number
  beforeEach(() => {
    documents = controllableStore(memoryDocumentStore(collections))
    blobs = memoryBlobStore()
    count = 0
  })

  const identityOn = (
    parts: { readonly documents?: Documents; readonly blobs?: BlobStore } = {},
    log = recordingLog(),
  ) => {
    const ids = { uuid: () => `id-${(count += 1)}`, secret: () => '', name: () => '' }
    return createStoreIdentity({ documents, blobs, ids, checksum: sha256Checksum, log, ...parts })
  }
  const establish = (adopt = false, identity = identityOn()) => identity.establish({ adopt, sample })()
  const refusal = async (adopt = false): Promise<unknown> => {
    const result = await establish(adopt)
    if (E.isRight(result)) throw new Error('not refused')
    return result.left
  }
  const put = (key: string, text: string) => right(blobs.write(key, bodyOf(text), 1000))
  const fill = (): Promise<unknown> =>
    right(documents.insert('instances', 0, { id: '1', unique: null, value: { number: 1 } }))
  const identities = async (): Promise<readonly unknown[]> => {
    const document = await right(documents.get(systemCollections.identity.name, 0, 'store'))
    const blob = await blobs.read('store/identity')()
    return [
      document?.value ?? null,
      E.isLeft(blob) ? null : (JSON.parse(await textFrom(blob.right.chunks)) as unknown),
    ]
  }
  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { key } of blobs.list('')) found.push(key)
    return found.toSorted()
  }

  it('is written to both empty stores, and found by the next start', async () => {
    expect(await establish()).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
    expect(await right(identityOn().isSame())).to.equal(true)
    expect(await establish()).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
  })

  it('is written to stores that an earlier version has filled', async () => {
    await fill()
    await put('1/file/upload/original', 'data')
    expect(await establish()).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
    expect(await keys()).to.include('1/file/upload/original')
  })

  it('rejects empty documents with foreign blobs, and reports their number', async () => {
    await put('1/file/upload/original', 'data')
    await put('1/file/upload/40x30', 'data')
    expect(await refusal()).to.deep.equal({
      _tag: 'StoresDiffer',
      found: { documents: { id: null, isEmpty: true }, blobs: { id: null, foreign: 2 } },
    })
    expect(await keys()).to.have.lengthOf(2)
    expect(await identities()).to.deep.equal([null, null])
  })

  for (const [title, key, text] of [
    ['other data of a file of the sample', '1/sample-file/upload/original', 'a photogrape'],
    ['longer data of a file of the sample', '1/sample-file/upload/original', `${photograph}.`],
    ['the data of the sample in another instance', '2/sample-file/upload/original', photograph],
    ['the data of the sample as another file', '1/other-file/upload/original', photograph],
    ['a scaled image alone', '1/sample-file/upload/40x30', photograph],
  ] as const)
    it(`treats ${title} as foreign`, async () => {
      await put(key, text)
      expect(await refusal()).to.have.property('_tag', 'StoresDiffer')
      expect(await keys()).to.deep.equal([key])
    })

  it('accepts empty documents with the data of the sample, which is removed', async () => {
    await establish()
    await put('1/sample-file/upload/original', photograph)
    await put('1/sample-file/upload/40x30', 'small')
    await put('1/sample-file/again/original', photograph)
    documents = controllableStore(memoryDocumentStore(collections))
    expect(await establish()).to.deep.equal(E.right(undefined))
    expect(await keys()).to.deep.equal(['store/identity'])
    // The start reports the previous id.
    expect(await identities()).to.deep.equal([{ id: 'id-2' }, { id: 'id-2' }])
  })

  it('rejects different identities, unless an operator adopts the blob store', async () => {
    await establish()
    await fill()
    await put('store/identity', '{"id":"other"}')
    const found = { documents: { id: 'id-1', isEmpty: false }, blobs: { id: 'other', foreign: 0 } }
    expect(await refusal()).to.deep.equal({ _tag: 'StoresDiffer', found })
    expect(await right(identityOn().isSame())).to.equal(false)
    expect(await establish(true)).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
    expect(await establish()).to.deep.equal(E.right(undefined))
  })

  it('rejects documents with a blob store without identity', async () => {
    await establish()
    await right(blobs.remove('store'))
    expect(await refusal()).to.have.property('_tag', 'StoresDiffer')
    expect(await establish(true)).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
  })

  it('writes a new identity if an operator adopts blobs for documents without one', async () => {
    await put('store/identity', '{"id":"other"}')
    await put('1/file/upload/original', 'data')
    const log = recordingLog()
    expect(await establish(true, identityOn({}, log))).to.deep.equal(E.right(undefined))
    expect(await identities()).to.deep.equal([{ id: 'id-1' }, { id: 'id-1' }])
    expect(await keys()).to.include('1/file/upload/original')
    expect(log.entries().filter(({ level }) => level === 'warn')).to.not.deep.equal([])
  })

  it('treats an unreadable identity as a different one', async () => {
    await establish()
    for (const text of ['', '{"id":', 'x'.repeat(990)]) {
      await put('store/identity', text)
      expect(await refusal()).to.have.property('_tag', 'StoresDiffer')
    }
  })

  it('is completed by the next start after an interruption at any step', async () => {
    for (const [call, collection] of [
      ['insert', 'identity'],
      ['replace', 'identity'],
    ] as const)
      for (const applied of [false, true]) {
        documents = controllableStore(memoryDocumentStore(collections))
        blobs = memoryBlobStore()
        documents.fail(call, collection, applied)
        expect(await establish()).to.deep.equal(E.left(unavailable))
        expect(await establish()).to.deep.equal(E.right(undefined))
        const [document, blob] = await identities()
        expect(document).to.deep.equal(blob)
      }
    documents = controllableStore(memoryDocumentStore(collections))
    blobs = memoryBlobStore()
    const failing = { ...blobs, write: () => async () => E.left(unavailable) }
    expect(await establish(false, identityOn({ blobs: failing }))).to.deep.equal(E.left(unavailable))
    // The documents were created in between, as the admin command does.
    await fill()
    expect(await establish()).to.deep.equal(E.right(undefined))
    const [document, blob] = await identities()
    expect(document).to.deep.equal(blob)
  })

  it('is the same for processes that start concurrently', async () => {
    for (const when of ['before', 'after'] as const)
      for (const call of ['get', 'insert', 'replace'] as const) {
        documents = controllableStore(memoryDocumentStore(collections))
        blobs = memoryBlobStore()
        const held = documents.hold(call, 'identity', when)
        const slow = establish()
        await held.reached
        const others = await Promise.all([establish(), establish()])
        held.release()
        expect(
          [await slow, ...others].map(({ _tag }) => _tag),
          `${call} ${when}`,
        ).to.deep.equal(['Right', 'Right', 'Right'])
        const [document, blob] = await identities()
        expect(document, `${call} ${when}`).to.deep.equal(blob)
      }
  })

  it('preserves what another process writes during the check', async () => {
    let listed = false
    const slow: BlobStore = {
      ...blobs,
      list: async function* (path) {
        if (!listed) {
          listed = true
          await establish()
          await fill()
          await put('1/sample-file/upload/original', photograph)
        }
        yield* blobs.list(path)
      },
    }
    expect(await establish(false, identityOn({ blobs: slow }))).to.deep.equal(E.right(undefined))
    expect(await keys()).to.include('1/sample-file/upload/original')
  })
})
