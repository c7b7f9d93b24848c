import { content } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { snapshotWithoutMoment } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { before, beforeEach, describe, it } from 'mocha'
import {
  contentsOf,
  createPublications,
  emptyStores,
  exported,
  imported,
  putBlob,
  recordProgress,
  tools,
  sourceOf,
  type MemoryExport,
  type Stores,
} from '../test-support/copied-publication.js'
import { failingAfter } from '../test-support/failing-stores.js'
import { article, type Stage } from '../test-support/stage.js'
import { exportStorage } from './copy-storage.js'

describe('exports', function () {
  this.timeout(60_000)
  let from: Stores
  let to: Stores
  let stage: Stage
  let made: MemoryExport
  before(async () => {
    from = emptyStores()
    stage = await createPublications(from)
    made = await exported(from)
  })
  beforeEach(() => {
    to = emptyStores()
  })

  const expectNothing = async (): Promise<void> => {
    expect(await contentsOf(to)).to.deep.equal({ documents: [], blobs: {} })
  }

  it('contain everything, one document or blob a line', async () => {
    const { documents, blobs } = await contentsOf(from)
    // The header, with the identity, and the end.
    expect(made.lines).to.have.length(documents.length - 1 + Object.keys(blobs).length + 2)
    expect(await imported(made, to)).to.deep.include({ _tag: 'Right' })
    expect(await contentsOf(to)).to.deep.equal(await contentsOf(from))
    const withoutVersions = ({ lines }: MemoryExport) =>
      lines
        .slice(1, -1)
        .map((line) => line.replace(/"version":\d+/, ''))
        .toSorted()
    expect(withoutVersions(await exported(to))).to.deep.equal(withoutVersions(made))
  })

  it('report the progress of each step up to its end', async () => {
    const { reported, onProgress } = recordProgress()
    await imported(made, to, { onProgress })
    for (const step of ['check documents', 'check blobs', 'copy documents', 'compare blobs']) {
      const own = reported.filter((progress) => progress.step === step)
      expect(own.at(-1)?.total).to.be.above(0)
      expect([own[0]?.done, own.at(-1)?.done]).to.deep.equal([0, own.at(-1)?.total])
    }
  })

  it('are rejected at any line that is cut off or missing, with nothing written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(made.lines.length - 1), fc.boolean(), async (at, isCut) => {
        const lines = isCut ? made.lines.slice(0, at) : made.lines.toSpliced(at, 1)
        expect(await imported({ ...made, lines }, to)).to.have.nested.include({
          'left._tag': 'ExportDamaged',
        })
        await expectNothing()
      }),
      { numRuns: 50 },
    )
  })

  it('are rejected with any other character in any line, with nothing written', async () => {
    const changes = fc.tuple(
      fc.nat(made.lines.length - 1),
      fc.nat(2 ** 20),
      fc.constantFrom('a', '1', '"', '}'),
    )
    await fc.assert(
      fc.asyncProperty(changes, async ([at, offset, character]) => {
        const line = made.lines[at] ?? ''
        const place = offset % line.length
        fc.pre(line[place] !== character)
        const changed = line.slice(0, place) + character + line.slice(place + 1)
        const lines = made.lines.with(at, changed)
        expect(await imported({ ...made, lines }, to)).to.have.nested.include({
          'left._tag': 'ExportDamaged',
        })
        await expectNothing()
      }),
      { numRuns: 100 },
    )
  })

  it('are rejected if a blob is missing or damaged, which is named', async () => {
    const keys = Object.keys((await contentsOf(from)).blobs)
    const key = keys.find((each) => each.endsWith('original')) ?? ''
    for (const [damage, word] of [
      [(stores: Stores) => stores.blobs.remove(key)(), 'missing'],
      [(stores: Stores) => putBlob(stores, key, 'other data'), 'damaged'],
    ] as const) {
      const other = await exported(from)
      await damage({ ...emptyStores(), blobs: other.blobs })
      expect(await imported(other, to)).to.deep.equal(
        E.left({ _tag: 'ExportDamaged', problem: `blob ${key} is ${word}` }),
      )
      await expectNothing()
    }
  })

  it('are rejected by stores that are not empty', async () => {
    await to.documents.insert('tags', 2, { id: 'x', unique: null, value: {} })()
    expect(await imported(made, to)).to.deep.equal(E.left({ _tag: 'TargetNotEmpty', part: 'documents' }))
    to = emptyStores()
    await putBlob(to, 'some/blob', 'data')
    expect(await imported(made, to)).to.deep.equal(E.left({ _tag: 'TargetNotEmpty', part: 'blobs' }))
  })

  it('are not imported over other documents of the same id, which are named', async () => {
    await imported(made, failingAfter(to, 50, false))
    const user = (await contentsOf(to)).documents.find(({ place }) => place === '0/users')
    const id = user?.id ?? ''
    await to.documents.replace('users', 0, { id, version: 1, unique: null, value: {} })()
    expect(await imported(made, to)).to.deep.equal(
      E.left({ _tag: 'DocumentDiffers', instance: 0, collection: 'users', id }),
    )
  })

  /** An export during which an article is created, and a file loses its data. */
  const exportDuringChanges = async (source: Stores) => {
    const lines: string[] = []
    let isChanged = false
    const change = async (): Promise<void> => {
      if (isChanged) return
      isChanged = true
      await stage.create(content, article('late'))
      const gone = Object.keys((await contentsOf(from)).blobs).find((key) => key.endsWith('original')) ?? ''
      await from.blobs.remove(gone)()
    }
    const write = async (line: string): Promise<void> => {
      lines.push(line.trimEnd())
      if (line.startsWith('{"collection":"places"')) await change()
    }
    const { blobs } = emptyStores()
    return { result: await exportStorage(sourceOf(source), { write, blobs }, tools)(), lines, blobs }
  }

  it('have no end if the source changes in the meantime and has no snapshots, which is named', async () => {
    const { documents } = from
    const snapshot = () => async () => E.right(snapshotWithoutMoment(documents))
    const { result, ...rest } = await exportDuringChanges({ ...from, documents: { ...documents, snapshot } })
    expect(result).to.have.nested.include({ 'left._tag': 'CopyDiffers' })
    expect(await imported(rest, to)).to.have.nested.include({ 'left._tag': 'ExportDamaged' })
    await expectNothing()
  })

  it('have the documents of one moment, with their blobs, whatever changes in the meantime', async () => {
    const source = emptyStores()
    stage = await createPublications(source)
    from = source
    const contents = await contentsOf(source)
    const { result, ...rest } = await exportDuringChanges(source)
    expect(result).to.have.property('_tag', 'Right')
    expect(await imported(rest, to)).to.have.property('_tag', 'Right')
    expect(await contentsOf(to)).to.deep.equal(contents)
    expect(await contentsOf(source)).not.to.deep.equal(contents)
  })
})
