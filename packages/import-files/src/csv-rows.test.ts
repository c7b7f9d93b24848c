import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnreadableSource, type TableRow } from '@publishing-service/imports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { csvRows, separatorIn } from './csv-rows.js'
import { plainPieces } from './source-text.js'

const inFile = async <A>(data: Uint8Array, test: (file: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), 'csv-rows-'))
  try {
    const file = join(folder, 'table.csv')
    await writeFile(file, data)
    return await test(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const read = (data: Uint8Array | string, encoding: string | null = null): Promise<readonly TableRow[]> =>
  inFile(typeof data === 'string' ? Buffer.from(data) : data, async (file) => {
    const rows: TableRow[] = []
    for await (const row of (await csvRows(await plainPieces(file, encoding)))()) rows.push(row)
    return rows
  })

const cellsOf = async (data: Uint8Array | string, encoding: string | null = null) =>
  (await read(data, encoding)).map(({ cells }) => cells)

describe('the rows of a CSV file', () => {
  it('are divided by the separator of the first line, and have the line at which they begin', async () => {
    expect(await read('a;b,c;d\r\n\r\n1;"x\r\n""y"";"\r\n2;3;4\n')).to.deep.equal([
      { line: 1, cells: ['a', 'b,c', 'd'] },
      { line: 3, cells: ['1', 'x\n"y";'] },
      { line: 5, cells: ['2', '3', '4'] },
    ])
    for (const [start, separator] of [
      ['a,b;c,d\n;;;;', ','],
      ['"a,b,c";d', ';'],
      ['a\tb', '\t'],
      ['a', ','],
    ] as const)
      expect(separatorIn(start), start).to.equal(separator)
  })

  it('are read as UTF-8, by their byte order mark, or else as Windows-1252', async () => {
    const rows = [['Café', '“a”']]
    const text = 'Café,“a”'
    expect(await cellsOf(text)).to.deep.equal(rows)
    expect(await cellsOf(`\uFEFF${text}`)).to.deep.equal(rows)
    expect(await cellsOf(Buffer.from(`\uFEFF${text}`, 'utf16le'))).to.deep.equal(rows)
    expect(await cellsOf(Buffer.from('Caf\xe9,\x93a\x94', 'latin1'))).to.deep.equal(rows)
    expect(await cellsOf(Buffer.from('\xcf\xf0', 'latin1'), 'windows-1251')).to.deep.equal([['Пр']])
  })

  it('are refused with the line where quotation marks are wrong', async () => {
    for (const text of ['a,b\n1,"x\n2,3\n', 'a,b\n1,"x"y\n', 'a,b\n1,x"y\n']) {
      const error: unknown = await read(text).catch((thrown: unknown) => thrown)
      expect(error, text).to.be.instanceOf(UnreadableSource)
      expect(error instanceof UnreadableSource ? error.place?.line : null, text).to.equal(2)
    }
    const unknown: unknown = await read('a', 'nonsense').catch((thrown: unknown) => thrown)
    expect(unknown).to.be.instanceOf(UnreadableSource)
  })
})
