/** sentences.md names tests that exist: each file, and each test that stands between «». */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../../src/', import.meta.url))
const folders = { g: 'generated', harness: 'harness' } as const

const lines = readFileSync(`${sources}wire/sentences.md`, 'utf8').split('\n')

/** The last cell of each row of the tables. */
const cells = lines.flatMap((line) => {
  const parts = line.split('|').map((part) => part.trim())
  const cell = parts.at(-2) ?? ''
  return parts.length < 4 || /^-+$/.test(cell) || cell === 'Test' ? [] : [cell]
})

const named = [
  ...new Set(
    cells
      .flatMap((cell) => cell.replaceAll(/«[^»]*»|\([^)]*\)/g, '').split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.includes(' ')),
  ),
]

const text = [`${sources}wire`, `${sources}generated`]
  .flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  .join('\n')

describe('the list of where sentences are tested', () => {
  it('names files that exist', () => {
    expect(named).to.have.length.above(25)
    for (const name of named) {
      const [, folder, file = name] = /^(g|harness)\/(.*)$/.exec(name) ?? []
      const path = `${sources}${folder === 'g' || folder === 'harness' ? folders[folder] : 'wire'}/${file}`
      expect(existsSync(`${path}.test.ts`) || existsSync(`${path}.ts`), name).to.equal(true)
    }
  })

  it('names tests that exist', () => {
    const titles = cells.flatMap((cell) => [...cell.matchAll(/«([^»]*)»/g)].map(([, title = '']) => title))
    expect(titles).to.have.length.above(50)
    for (const title of titles) expect(text, title).to.include(title.replace(/ ?…$/, ''))
  })

  it('names every test file of this folder', () => {
    const all = readdirSync(`${sources}wire`).filter((name) => name.endsWith('.test.ts'))
    const missing = all.map((name) => name.replace(/\.test\.ts$/, '')).filter((name) => !named.includes(name))
    expect(missing).to.deep.equal(['sentences'])
  })
})
