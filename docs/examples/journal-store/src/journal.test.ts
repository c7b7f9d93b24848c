import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { JsonObject } from '@publishing-service/domain/json'
import { openJournal } from './journal.js'

describe('A journal', function () {
  this.timeout(30_000)
  let folder: string
  let file: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'))
    file = join(folder, 'below', 'a.jsonl')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const linesOf = async (): Promise<readonly JsonObject[]> => {
    const lines: JsonObject[] = []
    const journal = await openJournal(file, (line) => lines.push(line))
    await journal.close()
    return lines
  }

  it('skips a truncated line, and reads the lines after it', async () => {
    const seen: JsonObject[] = []
    const journal = await openJournal(file, (line) => seen.push(line))
    await journal.append({ n: 1 })
    const whole = await readFile(file, 'utf8')
    for (const cut of ['{"n":2', '\n{"n":"', '\n', '{"n":3}x', '\0\0\0']) {
      await appendFile(file, cut)
      await journal.readNew()
      await journal.append({ n: 4, cut })
    }
    await journal.readNew()
    await journal.close()
    const expected = [{ n: 1 }, ...seen.slice(1)]
    expect(seen.length).to.equal(6)
    expect(seen.slice(1).every(({ n }) => n === 4)).to.equal(true)
    expect(await linesOf()).to.deep.equal(expected)
    expect(whole).to.equal('\n{"n":1}\n')
  })

  it('passes the lines of several writers, short or long, to all of them once and in the same order', async () => {
    const seen: JsonObject[][] = [[], [], []]
    const journals = await Promise.all(seen.map((lines) => openJournal(file, (line) => lines.push(line))))
    const long = 'ä'.repeat(700_000)
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        await journals[n % 3]?.append({ n, text: n % 10 === 0 ? long : 'short' })
        await journals[(n + 1) % 3]?.readNew()
      }),
    )
    await Promise.all(journals.map((journal) => journal.readNew()))
    await Promise.all(journals.map((journal) => journal.close()))
    expect(seen[0]?.map(({ n }) => Number(n)).toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 60 }, (_, n) => n),
    )
    for (const lines of seen) expect(lines).to.deep.equal(seen[0])
    expect(await linesOf()).to.deep.equal(seen[0])
  })
})
