import { memoryBlobStore, memoryDocumentStore } from '@publishing-service/adapter-memory'
import { file, notFound } from '@publishing-service/domain'
import { E, pipe, TE } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { BlobStore, DocumentStore } from '@publishing-service/ports'
import { expect } from 'chai'
import fc from 'fast-check'
import { beforeEach, describe, it } from 'mocha'
import { collections } from '../collections.js'
import type { InstanceRequest } from '../operation-request.js'
import type { Outcome } from '../failure.js'
import { removeObject } from '../engine/remove.js'
import type { Precondition } from '../engine/precondition.js'
import { changeObject } from '../engine/write.js'
import { bytesOf, textFrom, textOf } from '../test-support/ascii.js'
import { controllableStore, type ControllableStore } from '../test-support/controllable-document-store.js'
import { picture } from '../test-support/picture-imaging.js'
import { imageOf, plainDownload } from '../test-support/plain-download.js'
import {
  createStage,
  left,
  unavailable,
  right,
  start,
  type Process,
  type Stage,
} from '../test-support/stage.js'
import { changeSettings } from '../access/settings.js'
import { downloadFile } from './download-file.js'
import { observeChunks, uploadFile } from './upload-file.js'
import { changing } from '../test-support/memory-documents.js'

async function* inParts(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield bytesOf(part)
}

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield bytesOf('half')
  throw new Error('the client is gone')
}

describe('uploading the data of a file', () => {
  let stage: Stage
  let documents: ControllableStore
  let blobs: BlobStore
  let id: string
  beforeEach(async () => {
    documents = controllableStore(memoryDocumentStore(collections))
    blobs = memoryBlobStore()
    stage = await createStage({ documents, blobs })
    id = await stage.create(file, { title: 'A file', filename: 'f.zip' })
  })

  const upload = (
    body: AsyncIterable<Uint8Array>,
    contentType: string | undefined = 'application/zip',
    length?: number,
  ): Outcome<JsonObject> => stage.run(uploadFile, stage.as('editor'), { id, contentType, length, body })

  const uploadText = (
    text: string,
    { run }: Process = stage.useCases,
    request: InstanceRequest = stage.as('editor'),
    fileId = id,
  ): Outcome<JsonObject> =>
    run(uploadFile, request, {
      id: fileId,
      contentType: 'text/plain',
      length: undefined,
      body: inParts(text),
    })

  /** Another process deletes the file, or changes its title. */
  const removeFile = () => right(stage.anotherProcess().run(removeObject(file), stage.as('editor'), { id }))
  const rename = () =>
    right(
      stage.anotherProcess().run(changeObject(file), stage.as('editor'), { id, body: { title: 'Renamed' } }),
    )

  const stored = async (): Promise<JsonObject> => {
    const found = await documents.get('files', 1, id)()
    if (E.isLeft(found) || found.right === null) throw new Error('no file')
    return found.right.value
  }

  const keys = async (): Promise<readonly string[]> => {
    const found: string[] = []
    for await (const { key } of blobs.list('')) found.push(key)
    return found.toSorted()
  }

  const dataAt = async (key: string): Promise<string> => textFrom((await right(blobs.read(key))).chunks)

  it('stores the bytes, then names them in the metadata', async () => {
    const state = await right(upload(inParts('some ', 'data')))
    expect(state).to.include({ mimetype: 'application/zip', byte_size: 9, upload: start, title: 'A file' })
    expect(state['sha256']).to.equal('1307990e6ba5ca145eb35e99182a9bec46531bc54ddf656a602c780fa0240dee')
    expect(await keys()).to.deep.equal([`${String(state['blob'])}/original`])
    expect(await dataAt(`${String(state['blob'])}/original`)).to.equal('some data')
    expect(await stored()).to.deep.equal(state)
  })

  it('counts uploads up, also within one millisecond, and when the clock is set back', async () => {
    const numbers: unknown[] = []
    for (const step of [0, 0, -5000, 10_000]) {
      stage.clock.advance(step)
      numbers.push((await right(upload(inParts('x'))))['upload'])
    }
    expect(numbers).to.deep.equal([start, start + 1, start + 2, start + 5000])
  })

  it('removes the data of before, and what was made from it, once the new is named', async () => {
    const before = await right(upload(inParts('old')))
    await right(
      pipe(
        blobs.write(`${String(before['blob'])}/40x30-test`, inParts('d'), 9),
        TE.mapLeft(() => notFound),
      ),
    )
    const after = await right(upload(inParts('new')))
    expect(await keys()).to.deep.equal([`${String(after['blob'])}/original`])
  })

  it('reports the size of a picture, and null if it isn’t one', async () => {
    const state = await right(upload(inParts(textOf(picture(40, 30))), 'image/png'))
    expect(state).to.include({ width: 40, height: 30, image_format: 'image/gif' })
    expect(await right(upload(inParts('no picture'), 'image/png'))).to.include({
      width: null,
      height: null,
    })
    expect(await right(upload(inParts(textOf(picture(40, 30))), 'text/plain'))).to.include({
      width: null,
    })
  })

  // docs/behaviour/files.md#placeholder
  it('makes a placeholder for a picture, and none for short, unreadable and other data', async () => {
    const long = 'x'.repeat(5000)
    const photograph = textOf(picture(40, 30, long))
    expect(await right(upload(inParts(photograph), 'image/png'))).to.deep.include({
      placeholder: { colour: '#123456', image: 'data:image/webp;base64,UklGRg==' },
      image_opaque: true,
    })
    const scaled = stage.imaging.scaled()
    for (const [data, type] of [
      [textOf(picture(40, 30)), 'image/png'],
      [photograph, 'text/plain'],
      [long, 'image/png'],
      [textOf(picture(2000, 501, long)), 'image/png'],
    ] as const)
      expect(await right(upload(inParts(data), type))).to.include({ placeholder: null, image_opaque: null })
    expect(stage.imaging.scaled()).to.equal(scaled)
  })

  it('stores a picture without a placeholder if its pixels cannot be read now', async () => {
    const useCases = stage.anotherProcess({
      imaging: { ...stage.imaging, summarise: () => TE.left(unavailable) },
    })
    const body = inParts(textOf(picture(40, 30, 'x'.repeat(5000))))
    const input = { id, contentType: 'image/gif', length: undefined, body }
    expect(await right(useCases.run(uploadFile, stage.as('editor'), input))).to.include({
      width: 40,
      placeholder: null,
    })
  })

  // docs/behaviour/files.md#prepared-images
  it('makes the sizes for websites in the background if the instance has that, after what clients wait for', async () => {
    const scaled = (): number => stage.imaging.scaled()
    const settled = async (): Promise<void> => {
      for (let step = 0; step < 400; step += 1) await Promise.resolve()
      await stage.clock.turn()
    }
    const photograph = textOf(picture(500, 300))
    await right(upload(inParts(photograph), 'image/gif'))
    await settled()
    expect(scaled()).to.equal(0)
    await right(stage.run(changeSettings, stage.as('admin'), { body: { prepare_images: true } }))
    const release = stage.imaging.hold()
    const state = await right(upload(inParts(photograph), 'image/gif'))
    await settled()
    expect(scaled(), 'one at a time').to.equal(1)
    const requested = stage.run(downloadFile, stage.as('reader'), {
      ...plainDownload,
      fileId: id,
      upload: String(state['upload']),
      image: imageOf({ w: '10' }),
    })()
    await settled()
    release()
    expect(await requested).to.have.property('_tag', 'Right')
    expect(scaled(), 'before the next in the background').to.equal(2)
    for (let turn = 0; turn < 20; turn += 1) await settled()
    // A GIF that fits is not made.
    const widths = [10, 320, 480].map((width) => `${width}x${(width * 300) / 500}`)
    const names = (await keys()).map((key) => key.split('/').at(-1)?.split('-')[0])
    expect(names).to.have.members([...widths, 'original'])
  })

  it('takes the type of the file name if none is sent, and unknown/unknown if it doesn’t parse', async () => {
    expect(await right(upload(inParts('x'), 'nonsense'))).to.include({ mimetype: 'unknown/unknown' })
    const input = { id, contentType: undefined, length: undefined, body: inParts('x') }
    expect(await right(stage.run(uploadFile, stage.as('editor'), input))).to.include({
      mimetype: 'application/zip',
    })
  })

  it('needs the metadata first', async () => {
    const missing = uploadText('x', stage.useCases, stage.as('editor'), 'no-such-file')
    expect(await left(missing)).to.include({ _tag: 'NotFound' })
    expect(await keys()).to.deep.equal([])
  })

  it('rejects data that is declared or found too large, and preserves the previous data', async () => {
    const before = await right(upload(inParts('old')))
    const tooLarge = { _tag: 'TooLarge', limit: 1000 }
    expect(await left(upload(inParts('x'), 'application/zip', 1001))).to.deep.equal(tooLarge)
    expect(await left(upload(inParts('x'.repeat(600), 'y'.repeat(401))))).to.deep.equal(tooLarge)
    expect(await stored()).to.deep.equal(before)
    expect(await keys()).to.deep.equal([`${String(before['blob'])}/original`])
  })

  it('treats an interrupted body as a bad request, and preserves the previous data', async () => {
    const before = await right(upload(inParts('old')))
    expect(await left(upload(brokenOff()))).to.include({ _tag: 'BadRequest' })
    expect(await stored()).to.deep.equal(before)
    expect(await keys()).to.have.lengthOf(1)
  })

  it('writes over what its precondition permits only', async () => {
    const uploadIf = (precondition: Precondition) =>
      uploadText('x', stage.useCases, { ...stage.as('editor'), precondition })
    expect(await left(uploadIf(() => false))).to.deep.equal({ _tag: 'PreconditionFailed' })
    expect(await keys()).to.deep.equal([])
    await right(uploadIf((now) => now?.['title'] === 'A file'))
  })

  it('removes an upload to a file that is deleted in the meantime', async () => {
    const held = documents.hold('replace', 'files')
    const running = left(upload(inParts('x')))
    await held.reached
    await removeFile()
    held.release()
    expect(await running).to.deep.equal(notFound)
    expect(await keys()).to.deep.equal([])
  })

  it('changes of the metadata in the meantime survive', async () => {
    const held = documents.hold('replace', 'files')
    const running = right(upload(inParts('x')))
    await held.reached
    await rename()
    held.release()
    expect(await running).to.include({ title: 'Renamed', byte_size: 1 })
  })

  it('leaves nothing if the metadata can’t be written, and the data of before is still named', async () => {
    const before = await right(upload(inParts('old')))
    documents.fail('replace', 'files')
    expect(await left(upload(inParts('new')))).to.deep.equal(unavailable)
    expect(await stored()).to.deep.equal(before)
    expect(await keys()).to.deep.equal([`${String(before['blob'])}/original`])
  })

  it('preserves data that the metadata names although the store returned a failure', async () => {
    documents.fail('replace', 'files', true)
    expect(await left(upload(inParts('data')))).to.deep.equal(unavailable)
    expect(await dataAt(`${String((await stored())['blob'])}/original`)).to.equal('data')
  })

  it('prevents a late write of the metadata after the removal of the data that it names', async () => {
    const lost = { ...unavailable, mayYetApply: true } as const
    const late: TE.TaskEither<unknown, unknown>[] = []
    const slow = changing(documents, 'replace', 'files', (...replacement) => {
      if (late.length > 0) return documents.write(...replacement)
      late.push(documents.write(...replacement))
      return TE.left(lost)
    })
    const process = stage.anotherProcess({ documents: slow })
    expect(await left(uploadText('new', process))).to.deep.equal(lost)
    for (const write of late) expect((await write())._tag).to.equal('Left')
    expect((await stored())['blob'] ?? null).to.equal(null)
    expect(await keys()).to.deep.equal([])
  })

  describe('whose blob is lost between its writing and the commit of its metadata', () => {
    /** Another program deletes or truncates the blob. */
    const losing = (loss: (path: string) => Promise<unknown>, fails = false): Process => {
      const slow: DocumentStore = {
        ...documents,
        write: (instance, changes, appended) => async () => {
          const [change] = changes
          if (change?.kind === 'replace') {
            const { blob } = change.document.value
            if (losses.length === 0 && typeof blob === 'string') losses.push(await loss(blob))
            else if (fails) return E.left(unavailable)
          }
          return documents.write(instance, changes, appended)()
        },
      }
      const losses: unknown[] = []
      return stage.anotherProcess({ documents: slow })
    }
    const failureOf = (process: Process) => left(uploadText('new', process))
    const remove = (path: string) => right(blobs.remove(path))
    const shorten = (path: string) => right(blobs.write(`${path}/original`, inParts('ne'), 9))

    for (const [title, loss] of [
      ['is gone', remove],
      ['is shorter', shorten],
    ] as const) {
      it(`fails, and the data of before is named and there: ${title}`, async () => {
        const before = await right(upload(inParts('old'), 'application/zip'))
        expect(await failureOf(losing(loss))).to.have.property('_tag', 'PortFailure')
        expect(await stored()).to.deep.equal(before)
        expect(await dataAt(`${String(before['blob'])}/original`)).to.equal('old')
      })

      it(`fails, and a file without data has none still: ${title}`, async () => {
        const before = await stored()
        expect(await failureOf(losing(loss))).to.have.property('_tag', 'PortFailure')
        expect(await stored()).to.deep.equal(before)
      })
    }

    it('fails if the blob store does not report whether the blob exists', async () => {
      const before = await stored()
      const process = stage.anotherProcess({ blobs: { ...blobs, size: () => TE.left(unavailable) } })
      expect(await failureOf(process)).to.deep.equal(unavailable)
      expect(await stored()).to.deep.equal(before)
    })

    it('preserves later changes and uploads by others', async () => {
      const before = await right(upload(inParts('old')))
      const held = documents.hold('replace', 'files', 'after')
      const failing = failureOf(losing(remove))
      await held.reached
      await rename()
      held.release()
      expect(await failing).to.have.property('_tag', 'PortFailure')
      expect(await stored()).to.include({
        title: 'Renamed',
        blob: before['blob'],
        byte_size: 3,
        upload: start,
      })
    })

    it('succeeds if a later upload has replaced the data, or the file is deleted, before the check', async () => {
      /** A process that checks the blob after another event. */
      const slow = (between: () => Promise<unknown>): Process => {
        const late: BlobStore = {
          ...blobs,
          size: (key) => async () => {
            await between()
            return blobs.size(key)()
          },
        }
        return stage.anotherProcess({ blobs: late })
      }
      let later: JsonObject = {}
      const replaced = await right(
        uploadText(
          'replaced',
          slow(async () => (later = await right(uploadText('later', stage.anotherProcess())))),
        ),
      )
      expect(replaced).to.include({ byte_size: 8 })
      expect(await stored()).to.deep.equal(later)
      expect(await keys()).to.deep.equal([`${String(later['blob'])}/original`])

      await right(uploadText('deleted', slow(removeFile)))
      expect(await right(documents.get('files', 1, id))).to.equal(null)
      expect(await keys()).to.deep.equal([])
    })

    it('reports that the metadata cannot be restored', async () => {
      await right(upload(inParts('old')))
      expect(await failureOf(losing(remove, true))).to.have.property('_tag', 'PortFailure')
      expect(stage.log.entries().map(({ event }) => event)).to.include('metadata names lost data')
    })
  })

  it('leaves data to garbage collection if the store does not report whether it is referenced', async () => {
    documents.fail('replace', 'files')
    const running = upload(inParts('data'))
    // The first read is of the upload, the next of the update; the last reads the result.
    const first = documents.hold('get', 'files')
    const result = left(running)
    await first.reached
    const second = documents.hold('get', 'files', 'after')
    first.release()
    await second.reached
    documents.fail('get', 'files')
    second.release()
    expect(await result).to.deep.equal(unavailable)
    expect(await keys()).to.have.lengthOf(1)
  })

  it('succeeds although the previous data cannot be removed, and logs that', async () => {
    await right(upload(inParts('old')))
    const stuck: BlobStore = { ...blobs, remove: () => TE.left(unavailable) }
    await right(uploadText('new', stage.anotherProcess({ blobs: stuck })))
    expect(stage.log.entries().map(({ event }) => event)).to.include('blobs not removed')
  })
})

describe('an observed body', () => {
  it('is unchanged, and the observer receives all chunks', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 8 })), async (chunks) => {
        async function* body() {
          yield* chunks
        }
        const [passed, seen]: [Uint8Array[], Uint8Array[]] = [[], []]
        for await (const chunk of observeChunks(body(), (each) => seen.push(each))) passed.push(chunk)
        expect(passed).to.deep.equal(chunks)
        expect(seen).to.deep.equal(chunks)
      }),
    ))

  it('releases the source if the rest is not read', async () => {
    let ended = false
    async function* body() {
      try {
        for (;;) yield new Uint8Array(1)
      } finally {
        ended = true
      }
    }
    const iterator = observeChunks(body(), () => undefined)
    await iterator.next()
    await iterator.return(undefined)
    expect(ended).to.equal(true)
  })
})
