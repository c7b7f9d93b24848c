import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { UnreadableZip, ZipReader } from './zip-reader.js'
import { ZipWriter } from './zip-writer.js'

const time = new Date('2026-03-01T12:00:00Z')

async function* pieces(...all: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* all
}

async function* failing(): AsyncGenerator<string> {
  yield 'begun'
  throw new Error('no more')
}

/** The offsets of fields in an entry of the list, from its name. */
const fields = { size: 24 - 46, start: 42 - 46 } as const

describe('zips', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zips-'))
    path = join(folder, 'a.zip')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const written = async (entries: Readonly<Record<string, string>>, compress = true): Promise<Buffer> => {
    const zip = await ZipWriter.create(path, time)
    for (const [name, text] of Object.entries(entries)) await zip.add(name, pieces(text), compress)
    await zip.complete()
    return readFile(path)
  }

  const problemIn = async (data: Uint8Array, name = 'a/1'): Promise<string> => {
    await writeFile(path, data)
    try {
      const zip = await ZipReader.open(path)
      try {
        await buffer(zip.chunks(name))
      } finally {
        zip.close()
      }
      return 'none'
    } catch (error) {
      expect(error).to.be.instanceOf(UnreadableZip)
      return String(error)
    }
  }

  it('are read as they were written', async () => {
    const long = 'ü'.repeat(200_000)
    const zip = await ZipWriter.create(path, time)
    await zip.add('lines/ü.jsonl', pieces('one', 'two', long), true)
    await zip.add('data', pieces(new Uint8Array([0, 255]), new Uint8Array([1])), false)
    await zip.add('empty', pieces(), false)
    await zip.complete()
    expect(await readdir(folder)).to.deep.equal(['a.zip'])
    const found = await stat(path)
    expect(found.mode & 0o077).to.equal(0)
    expect(found.size).to.be.below(10_000)
    const reader = await ZipReader.open(path)
    expect(reader.names).to.deep.equal(['lines/ü.jsonl', 'data', 'empty'])
    expect(await reader.text('lines/ü.jsonl')).to.equal(`onetwo${long}`)
    expect(reader.sizeOf('data')).to.equal(3)
    expect(reader.sizeOf('missing')).to.equal(null)
    expect([...(await buffer(reader.chunks('data')))]).to.deep.equal([0, 255, 1])
    expect(await buffer(reader.chunks('empty'))).to.have.lengthOf(0)
    reader.close()
  })

  it('have their name only once they are complete', async () => {
    const zip = await ZipWriter.create(path, time)
    await zip.add('a', pieces('a'), true)
    const error: unknown = await zip.add('b', failing(), true).catch((reason: unknown) => reason)
    expect(String(error)).to.include('no more')
    expect(await readdir(folder)).to.deep.equal(['a.zip.incomplete'])
    await zip.abandon()
    expect(await readdir(folder)).to.deep.equal([])
  })

  it('have the same bytes for the same data', async () => {
    const entries = { a: 'one', b: 'two' }
    expect(await written(entries)).to.deep.equal(await written(entries))
  })

  it('are refused if they are cut off or hostile', async () => {
    const text = 'text '.repeat(1000)
    const whole = await written({ 'a/1': text, 'a/2': text, 'aa/3': text })
    const list = whole.lastIndexOf('a/1')
    const other = whole.lastIndexOf('a/2')
    const changed = (change: (data: Buffer) => unknown): Buffer => {
      const data = Buffer.from(whole)
      change(data)
      return data
    }
    const renamed = (from: string, to: string): Buffer =>
      Buffer.from(whole.toString('latin1').replaceAll(from, to), 'latin1')
    expect(await problemIn(whole)).to.equal('none')
    expect(await problemIn(whole.subarray(0, whole.length - 1))).to.match(/Error: /)
    expect(await problemIn(Buffer.from('no zip'))).to.match(/Error: /)
    expect(await problemIn(whole, 'missing')).to.match(/missing is not in the zip/)
    expect(await problemIn(renamed('aa/3', '../3'))).to.match(/relative path/)
    expect(await problemIn(renamed('a/2', '/a2'))).to.match(/absolute path/)
    expect(await problemIn(renamed('a/2', 'a/1'))).to.match(/has a\/1 twice/)
    expect(await problemIn(changed((data) => data.writeUInt32LE(10, list + fields.size)))).to.match(
      /too many bytes/,
    )
    expect(await problemIn(changed((data) => data.writeUInt32LE(10_000, list + fields.size)))).to.match(
      /not enough bytes/,
    )
    expect(await problemIn(changed((data) => data.writeUInt32LE(0, other + fields.start)))).to.match(
      /begins within another entry/,
    )
  })
})
