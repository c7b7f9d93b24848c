import { singleReads } from '@publishing-service/ports'
import { join } from 'node:path'
import { describe, it } from 'mocha'
import { expect } from 'chai'
import type { Json } from '@publishing-service/domain/json'
import { sqliteDocumentStore } from './sqlite-document-store.js'
import { child } from './test-support/child-process.js'
import { things } from './test-support/fixture-collection.js'
import { all, right, temporaryFolders } from './test-support/fixture.js'

const competitor = new URL('./test-processes/compete.js', import.meta.url)

describe('Several processes on one file', function () {
  this.timeout(30_000)
  const folder = temporaryFolders()

  const linesOf = async (...words: readonly string[]): Promise<readonly string[]> => {
    const lines: string[] = []
    const { lines: printed, ended } = child(competitor, ...words)
    for await (const line of printed) lines.push(line)
    expect(await ended).to.equal(0)
    expect(lines.at(-1)).to.equal('done')
    return lines.slice(0, -1)
  }

  it('open a new file concurrently, and compete for 200 uniqueness keys: each has one winner, which all see', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const won = await Promise.all(['a', 'b', 'c'].map((name) => linesOf(file, name, '200')))
    expect(
      won
        .flat()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).to.deep.equal(Array.from({ length: 200 }, (_, i) => i))
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const { documents } = await right(store.find('things', 1, all))
    const winners = won.flatMap((texts, i) => texts.map((text) => `${'abc'[i]}-${text}`))
    expect(documents.map(({ id }) => id)).to.have.members(winners)
    const tallied = async (within: Readonly<Record<string, Json>>): Promise<ReadonlyMap<string, number>> =>
      new Map(
        (await right(singleReads(store).countGroups('things', 1, 'tags', within))).map(({ text, count }) => [
          text,
          count,
        ]),
      )
    const texts = documents.flatMap(({ value }) => value['tags'] as readonly string[])
    expect(await tallied({})).to.deep.equal(
      new Map(['all', '0', '1', '2'].map((text) => [text, texts.filter((each) => each === text).length])),
    )
    for (const [i, kind] of ['a', 'b', 'c'].entries())
      expect((await tallied({ kind, open: null })).get('all') ?? 0).to.equal(won[i]?.length)
    await store.close()
  })

  it('see an acknowledged write of another process at once', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const store = await sqliteDocumentStore({ file, collections: [things] })
    const { lines, ended } = child(competitor, file, 'other', '50')
    for await (const line of lines) {
      if (line !== 'done')
        expect(await right(store.get('things', 1, `other-${line}`))).to.include({ version: 1 })
    }
    expect(await ended).to.equal(0)
    await store.close()
  })

  it('end by themselves while a store is open', async () => {
    const file = join(await folder(), 'documents.sqlite')
    const { ended } = child(new URL('./test-processes/leave-open.js', import.meta.url), file)
    expect(await ended).to.equal(0)
    const store = await sqliteDocumentStore({ file, collections: [things] })
    expect(await right(store.get('things', 1, 'a'))).to.include({ version: 1 })
    await store.close()
  })
})
