import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { crc32, deflateRawSync } from 'node:zlib'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { readGhostFile } from './ghost-file.js'

type Entry = { readonly name: string; readonly data: string; readonly said?: number }

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )

/** A zip; an entry can say another size than it has. */
const zipOf = (entries: readonly Entry[]): Buffer => {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, data, said } of entries) {
    const bytes = Buffer.from(data)
    const packed = deflateRawSync(bytes)
    const path = Buffer.from(name)
    const fields = [
      [2, 20],
      [2, 0x800],
      [2, 8],
      [4, 0],
      [4, crc32(bytes)],
      [4, packed.length],
      [4, said ?? bytes.length],
      [2, path.length],
      [2, 0],
    ] as const
    const local = Buffer.concat([numbers([4, 0x04034b50], ...fields), path, packed])
    list.push(numbers([4, 0x02014b50], [2, 20], ...fields, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), path)
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(list)
  const count = entries.length
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, central.length],
    [4, offset],
    [2, 0],
  )
  return Buffer.concat([...parts, central, end])
}

describe('readGhostFile', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ghost-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const readZip = async (data: Buffer) => {
    const path = join(folder, 'ghost.zip')
    await writeFile(path, data)
    return readGhostFile(path, null)
  }
  const problemOf = (data: Buffer): Promise<string> =>
    readZip(data).then(
      () => 'read',
      (error: unknown) => String(error),
    )

  const exported = { name: 'site/data/site.ghost.json', data: '{"a": 1}' }
  const picture = { name: 'site/content/images/2020/a.jpg', data: 'picture' }
  const address = 'https://example.org/content/images/size/w600/2020/a.jpg'

  it('reads the export, the redirects and the pictures of a zip, in a folder or not', async () => {
    const redirects = { name: 'site/data/redirects.yaml', data: '301:\n  /old: /new\n' }
    const read = await readZip(zipOf([exported, picture, redirects]))
    expect(read.value).to.deep.equal({ a: 1 })
    expect(read.redirects).to.deep.equal({ 301: { '/old': '/new' } })
    const media = await read.media?.({ address, type: null })
    if (media === undefined || E.isLeft(media)) throw new Error('missing')
    expect(await text(Readable.from(media.right.body))).to.equal('picture')
    expect(media.right.length).to.equal(7)
    const flat = await readZip(
      zipOf([
        { ...exported, name: 'a.json' },
        { ...picture, name: 'content/images/2020/a.jpg' },
      ]),
    )
    expect(E.isRight((await flat.media?.({ address, type: null })) ?? E.left(''))).to.equal(true)
    expect(
      await flat.media?.({ address: 'https://example.org/content/images/b.jpg', type: null }),
    ).to.deep.include({
      _tag: 'Left',
    })
  })

  it('reads a JSON with a file of redirects', async () => {
    const [path, redirects] = [join(folder, 'a.json'), join(folder, 'redirects.json')]
    await writeFile(path, '{"a": 1}')
    await writeFile(redirects, '[]')
    expect(await readGhostFile(path, redirects)).to.deep.include({ value: { a: 1 }, redirects: [] })
  })

  it('names what is wrong with a zip', async () => {
    const whole = zipOf([exported, picture])
    expect(await problemOf(Buffer.from('no zip'))).to.match(/is no zip/)
    expect(await problemOf(whole.subarray(0, whole.length - 30))).to.match(/is no zip/)
    expect(await problemOf(zipOf([picture]))).to.match(/no export of Ghost/)
    expect(await problemOf(zipOf([{ ...exported, data: '{' }]))).to.match(/no JSON/)
    expect(await problemOf(zipOf([{ ...exported, name: '../data/site.json' }]))).to.match(/is no zip/)
    expect(await problemOf(zipOf([{ ...exported, said: 1 }]))).to.match(/too many bytes/)
    expect(await problemOf(zipOf([{ ...exported, said: 1_000_000_000 }]))).to.match(/at most/)
  })

  it('refuses YAML that grows when it is read', async () => {
    const data = `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`
    expect(await problemOf(zipOf([exported, { name: 'redirects.yaml', data }]))).to.match(/no YAML/)
  })
})
