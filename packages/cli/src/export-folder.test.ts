import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createExport, openExport, requireNoExport } from './export-folder.js'

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
})
