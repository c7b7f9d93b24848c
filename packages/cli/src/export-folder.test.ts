import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createExport, linesOf, openExport, requireNoExport } from './export-folder.js'

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

const collected = async (items: AsyncIterable<string>): Promise<readonly string[]> => {
  const found: string[] = []
  for await (const item of items) found.push(item)
  return found
}

const failureOf = async (task: Promise<unknown>): Promise<string> => {
  const error: unknown = await task.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error.message : 'none'
}

describe('the folder of an export', () => {
  let folder = ''
  before(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'publishing-export-')), 'new')
  })
  after(() => rm(join(folder, '..'), { recursive: true }))

  it('has no export until all lines are written, which only the owner can read', async () => {
    const made = await createExport(folder)
    const lines = Array.from({ length: 50 }, (_, number) => `${'x'.repeat(number * 1000)}ü${number}`)
    await Promise.all(lines.map((line) => made.write(`${line}\n`)))
    expect(await failureOf(openExport(folder))).to.include('contains no export')
    await requireNoExport(folder)
    await made.complete()
    await made.close()
    expect(await readdir(folder)).to.include('export.jsonl')
    for (const path of [folder, join(folder, 'export.jsonl')])
      expect((await stat(path)).mode & 0o077, path).to.equal(0)
    const found = await openExport(folder)
    expect(await collected(found.lines())).to.deep.equal(lines)
    await found.blobs.close()
    expect(await failureOf(requireNoExport(folder))).to.include('contains an export')
  })

  it('has lines that end at line breaks only, wherever the pieces end', async () => {
    const text = 'one\n\u2028two\r\n\nlast'
    const expected = ['one', '\u2028two\r', '', 'last']
    expect(await collected(linesOf(pieces(text)))).to.deep.equal(expected)
    expect(await collected(linesOf(pieces(...text)))).to.deep.equal(expected)
    expect(await collected(linesOf(pieces('one\n')))).to.deep.equal(['one'])
    expect(await collected(linesOf(pieces()))).to.deep.equal([])
  })
})
