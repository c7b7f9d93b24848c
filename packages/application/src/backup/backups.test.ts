import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { asciiJson } from '@publishing-service/domain/json'
import { memoryBlobStore } from '@publishing-service/adapter-memory'
import type { BlobStore } from '@publishing-service/ports'
import { expect } from 'chai'
import { beforeEach, describe, it } from 'mocha'
import { bytesOf, textOf } from '../test-support/ascii.js'
import {
  contentsOf,
  createPublications,
  emptyStores,
  putBlob,
  tools,
  type Stores,
} from '../test-support/copied-publication.js'
import { failingAfter } from '../test-support/failing-stores.js'
import { article, right, type Stage } from '../test-support/stage.js'
import { contentWithLosses } from '../storage-copy/content.js'
import { documentLines } from '../storage-copy/exports.js'
import { orThrow } from '../attempt.js'
import { sourceOfCopy } from '../store-identity.js'
import { backups } from './backups.js'
import { backupErrors } from './claim-backup.js'
import type { BackupSource } from './create-backup.js'

const [hour, day] = [3_600_000, 86_400_000]
const start = Date.parse('2026-04-01T12:00:00Z')
const name = 'the source'

/** Documents as lines in ASCII. `between` is called between their moment and the copy of their data. */
const sourceOf = (
  { documents, blobs }: Stores,
  between: () => Promise<unknown> = async () => undefined,
): BackupSource => ({
  name,
  blobs,
  withDocuments: async (use) => {
    const snapshot = await orThrow(documents.snapshot())
    const read = await contentWithLosses({ documents: snapshot, blobs, name, time: '' })
    async function* body() {
      for await (const line of documentLines(read, tools.checksum)) yield bytesOf(line)
      await between()
    }
    return use({ form: 'lines', reads: snapshot, body: body(), limit: 1_000_000 })
  },
})

const backUp = (stores: Stores, place: BlobStore, time: number, between?: () => Promise<unknown>) =>
  backups.create({ place, source: sourceOf(stores, between), time }, tools)()

const restored = async (
  place: BlobStore,
  to: Stores,
  id: string | null = null,
  rewindTo: string | null = null,
) => {
  const list = await right(backups.open(place, id, tools))
  async function* lines() {
    let text = ''
    for await (const chunk of backups.documentBytes(place, list, tools)) text += textOf(chunk)
    yield* text.trimEnd().split('\n')
  }
  return backups.fill(place, list, { form: 'lines', lines }, to, { ...tools, rewindTo })()
}

/** Without scaled images, which a backup does not have. */
const backedUp = async (stores: Stores) => {
  const { documents, blobs } = await contentsOf(stores)
  const unscaled = Object.entries(blobs).filter(([key]) => !key.endsWith('40x30-test'))
  return { documents, blobs: Object.fromEntries(unscaled) }
}

const names = async (place: BlobStore): Promise<readonly string[]> =>
  (await right(backups.list(place, tools))).map(({ id }) => id)

const originalsOf = async (stores: Stores): Promise<readonly string[]> =>
  Object.keys((await contentsOf(stores)).blobs).filter((key) => key.endsWith('/original'))

describe('backups', function () {
  this.timeout(60_000)
  let from: Stores
  let place: BlobStore
  let stage: Stage
  beforeEach(async () => {
    from = emptyStores()
    place = memoryBlobStore()
    stage = await createPublications(from)
  })

  it('have everything of one moment, whatever changes while they are made', async () => {
    const before = await backedUp(from)
    const [gone = ''] = await originalsOf(from)
    let isChanged = false
    const made = await right(async () =>
      backUp(from, place, start, async () => {
        if (isChanged) return
        isChanged = true
        await stage.create(content, article('late'))
        await from.blobs.remove(gone)()
      }),
    )
    expect(made).to.deep.include({ newBlobs: 4, withoutData: [] })
    const to = emptyStores()
    expect(await restored(place, to)).to.have.property('_tag', 'Right')
    expect(await contentsOf(to)).to.deep.equal(before)
  })

  it('leave stores unfinished that are to be taken back to a moment, until that is done', async () => {
    await right(async () => backUp(from, place, start))
    const [to, moment] = [emptyStores(), '2026-04-01T11:00:00.000Z']
    expect(await restored(place, failingAfter(to, 5, true), null, moment)).to.have.property('_tag', 'Left')
    expect(await right(backups.rewindBegun(to.documents))).to.equal(null)
    expect(await restored(place, to, null, moment)).to.have.property('_tag', 'Right')
    expect(await right(backups.rewindBegun(to.documents))).to.equal(moment)
    expect(await right(sourceOfCopy(to.documents))).to.be.a('string')
    await right(backups.endRewind(to.documents))
    expect(await right(backups.rewindBegun(to.documents))).to.equal(null)
    expect(await contentsOf(to)).to.deep.equal(await backedUp(from))
  })

  it('of SQLite are marked as a file in the same way', async () => {
    await right(async () => backUp(from, place, start))
    const list = await right(backups.open(place, null, tools))
    const [before, moment] = [await contentsOf(from), '2026-04-01T11:00:00.000Z']
    await right(backups.beginRewind(from.documents, list, moment))
    expect(await right(backups.rewindBegun(from.documents))).to.equal(moment)
    expect(await right(sourceOfCopy(from.documents))).to.be.a('string')
    await right(backups.endRewind(from.documents))
    expect(await contentsOf(from)).to.deep.equal(before)
  })

  it('are chosen for a moment: the earliest after it, or else the latest', async () => {
    for (const time of [start, start + hour, start + 2 * hour])
      await right(async () => backUp(from, place, time))
    const chosen = async (time: number) => backups.timeOf(await right(backups.openSince(place, time, tools)))
    expect(await chosen(start - 1)).to.equal(start)
    expect(await chosen(start + hour)).to.equal(start + hour)
    expect(await chosen(start + hour + 1)).to.equal(start + 2 * hour)
    expect(await chosen(start + day)).to.equal(start + 2 * hour)
  })

  it('have another moment if data was uploaded before it and removed after it', async () => {
    const upload = `${(await originalsOf(from))[0]?.split('/').slice(0, 2).join('/')}/late/original`
    const find = async () =>
      (await contentsOf(from)).documents.find(({ id }) => upload.startsWith(`1/${id}/`)) ?? expect.fail()
    const { id, value } = await find()
    let moment = 0
    const source = sourceOf(from)
    const withDocuments: BackupSource['withDocuments'] = async (use) => {
      moment += 1
      const { version } = (await orThrow(from.documents.get('files', 1, id))) ?? expect.fail()
      const blob = moment === 1 ? upload.replace('/original', '') : (value['blob'] ?? null)
      await right(
        from.documents.replace('files', 1, { id, version, unique: null, value: { ...value, blob } }),
      )
      return source.withDocuments(use)
    }
    const request = { place, source: { ...source, withDocuments }, time: start }
    expect(await right(backups.create(request, tools))).to.deep.include({ withoutData: [] })
    expect(moment).to.equal(2)
  })

  it('are made of stores that have lost data, which is named, but not of those that have none', async () => {
    const [first = '', ...others] = await originalsOf(from)
    await from.blobs.remove(first)()
    const made = await right(async () => backUp(from, place, start))
    expect(made.withoutData).to.deep.equal([first.split('/').slice(0, 2).join('/')])
    for (const key of others) await from.blobs.remove(key)()
    expect(await backUp(from, place, start + hour)).to.have.nested.property('left._tag', 'DataMissing')
  })

  it('write the data of files once', async () => {
    await right(async () => backUp(from, place, start))
    expect(await right(async () => backUp(from, place, start + hour))).to.include({ newBlobs: 0, blobs: 4 })
    await putBlob(from, '1/another/file/original', 'new')
    expect(await right(async () => backUp(from, place, start + 2 * hour))).to.include({
      newBlobs: 1,
      newBytes: 3,
      blobs: 5,
    })
  })

  it('are complete or none, wherever they are interrupted, and the next one continues', async () => {
    for (const [writes, applies] of [0, 1, 2, 3, 4, 5].flatMap(
      (each) =>
        [
          [each, true],
          [each, false],
        ] as const,
    )) {
      place = memoryBlobStore()
      const { blobs } = failingAfter({ ...emptyStores(), blobs: place }, writes, applies)
      const failed = await backUp(from, blobs, start)
      expect(failed).to.have.property('_tag', 'Left')
      // The last write may have been applied although it failed.
      const isLast = writes === 5 && applies
      expect(await names(place)).to.have.length(isLast ? 1 : 0)
      await right(async () => backUp(from, place, start + hour))
      const to = emptyStores()
      expect(await restored(place, to)).to.have.property('_tag', 'Right')
      expect(await contentsOf(to)).to.deep.equal(await backedUp(from))
    }
  })

  it('are retained as long as they are among the latest, and their data with them', async () => {
    const [gone = ''] = await originalsOf(from)
    const text = (await contentsOf(from)).blobs[gone] ?? ''
    const made = [0, 1, 2, 3].map((each) => start + each * day)
    for (const time of made) {
      if (time === made[1]) await from.blobs.remove(gone)()
      // As after a restoration of the first one.
      if (time === made[3]) await putBlob(from, gone, text)
      await backUp(from, place, time)
    }
    const long = Date.now() + 10 * day
    expect(await right(backups.prune({ place, keep: 3, time: long }, tools))).to.deep.equal({
      backups: 1,
      blobs: 0,
    })
    await from.blobs.remove(gone)()
    await backUp(from, place, start + 4 * day)
    expect(await right(backups.prune({ place, keep: 1, time: Date.now() }, tools))).to.include({ blobs: 0 })
    await backUp(from, place, start + 5 * day)
    expect(await right(backups.prune({ place, keep: 1, time: long }, tools))).to.deep.equal({
      backups: 1,
      blobs: 1,
    })
    expect(await names(place)).to.have.length(1)
    const list = await right(backups.open(place, null, tools))
    expect(await right(backups.verify(place, list, tools))).to.deep.equal({ missing: [], damaged: [] })
  })

  it('say what is missing or damaged, and are not restored then', async () => {
    await right(async () => backUp(from, place, start))
    const list = await right(backups.open(place, null, tools))
    const [one = '', two = ''] = await originalsOf(from)
    await place.remove(`blobs/${one}`)()
    await putBlob({ ...from, blobs: place }, `blobs/${two}`, 'other')
    expect(await right(backups.verify(place, list, tools))).to.deep.equal({ missing: [one], damaged: [two] })
    const to = emptyStores()
    expect(E.isLeft(await restored(place, to))).to.equal(true)
    expect((await contentsOf(to)).documents.find(({ id }) => id === 'store')?.value).to.have.property(
      'copyOf',
    )
  })

  it('are not read if their list or their documents were changed', async () => {
    await right(async () => backUp(from, place, start))
    const id = (await names(place))[0] ?? ''
    const documents = `backups/${id}/documents`
    const opened = await right(place.read(documents))
    let text = ''
    for await (const chunk of opened.chunks) text += textOf(chunk)
    await putBlob({ ...from, blobs: place }, documents, text.replace('article-7', 'article-8'))
    const to = emptyStores()
    expect(await restored(place, to)).to.have.nested.property('left._tag', 'ExportDamaged')
    expect(await contentsOf(to)).to.deep.equal({ documents: [], blobs: {} })
    const end = { end: { blobs: 0, bytes: 0, sha256: '0' } }
    for (const list of ['', '{}', 'null\n', `${asciiJson(end)}\n`, `{}\n${asciiJson(end)}\n`]) {
      await putBlob({ ...from, blobs: place }, `backups/${id}/list`, list)
      expect(await backups.open(place, null, tools)()).to.have.nested.property('left._tag', 'ExportDamaged')
      expect(await right(backups.list(place, tools))).to.deep.equal([{ id, list: null }])
    }
  })

  it('of other stores are not in the same place', async () => {
    await right(async () => backUp(from, place, start))
    const other = emptyStores()
    await createPublications(other)
    const { id, version } = (await orThrow(other.documents.get('identity', 0, 'store'))) ?? expect.fail()
    const value = { id: 'another' }
    await right(other.documents.replace('identity', 0, { id, version, unique: null, value }))
    expect(await backUp(other, place, start + hour)).to.deep.equal(
      E.left({ _tag: 'OtherBackups', source: name }),
    )
    expect(await backups.open(place, 'another', tools)()).to.deep.equal(
      E.left({ _tag: 'BackupMissing', id: 'another' }),
    )
  })

  it('are made by one of several processes, until its claim has ended', async () => {
    const claim = (by: string, now: number) =>
      backups.claim(from.documents, { by, now, duration: hour, outcome: null })
    const [one, other] = await Promise.all([claim('one', start), claim('other', start)])
    expect([one, other]).to.have.members([true, false])
    const holder = one ? 'one' : 'other'
    expect(await claim(holder, start + hour - 1)).to.equal(true)
    expect(await claim('third', start + hour + 1)).to.equal(false)
    expect(await claim('third', start + 3 * hour)).to.equal(true)
  })

  it('are an error of readiness since the first that failed, until one is made or none is tried', async () => {
    const attempted = (now: number, outcome: 'made' | 'failed') =>
      backups.claim(from.documents, { by: 'one', now, duration: hour, outcome })
    const errorsAt = async (now: number) => {
      const errors = await right(backupErrors(from.documents, { now: () => now })())
      return errors.map(({ part, text }) => [part, text.match(/\d{4}[-\d:T]+/)?.[0]])
    }
    const failed = [['backups', '2026-04-01T12:00:00']]
    expect(await errorsAt(start)).to.deep.equal([])
    await attempted(start, 'failed')
    await attempted(start + hour, 'failed')
    expect(await errorsAt(start + 2 * hour)).to.deep.equal(failed)
    expect(await errorsAt(start + 3 * day)).to.deep.equal([])
    await attempted(start + 2 * hour, 'made')
    expect(await errorsAt(start + 2 * hour)).to.deep.equal([])
  })
})
