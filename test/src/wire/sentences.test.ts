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

/** The names of files in a cell. */
const namesIn = (cell: string): readonly string[] =>
  cell
    .replaceAll(/«[^»]*»|\([^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.includes(' '))

const pathOf = (name: string): string => {
  const [, folder, file = name] = /^(g|harness)\/(.*)$/.exec(name) ?? []
  const path = `${sources}${folder === 'g' || folder === 'harness' ? folders[folder] : 'wire'}/${file}`
  return existsSync(`${path}.test.ts`) ? `${path}.test.ts` : `${path}.ts`
}

const filesIn = (cell: string): readonly string[] => namesIn(cell).map(pathOf)

const named = [...new Set(cells.flatMap(namesIn))]

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
    for (const name of named) expect(existsSync(pathOf(name)), name).to.equal(true)
  })

  it('names tests that exist', () => {
    const titles = cells.flatMap((cell) => [...cell.matchAll(/«([^»]*)»/g)].map(([, title = '']) => title))
    expect(titles).to.have.length.above(50)
    for (const title of titles) expect(text, title).to.include(title.replace(/ ?…$/, ''))
  })

  it('names tests that speak of the attributes in its rows', () => {
    const rows = lines.flatMap((line) => {
      const [, first = '', last = ''] = line.split('|').map((part) => part.trim())
      const attributes = Array.from(first.matchAll(/`([a-z_]+)`/g), ([, name = '']) => name)
      return attributes.length === 0 ? [] : [{ attributes, files: filesIn(last) }]
    })
    expect(rows).to.have.length.above(80)
    for (const { attributes, files } of rows) {
      const spoken = files.map((file) => readFileSync(file, 'utf8')).join('\n')
      for (const name of attributes)
        expect(spoken, `${name} in ${files.join(', ')}`).to.match(new RegExp(`\\b${name}\\b`))
    }
  })

  it('names every test file of this folder', () => {
    const all = readdirSync(`${sources}wire`).filter((name) => name.endsWith('.test.ts'))
    const missing = all.map((name) => name.replace(/\.test\.ts$/, '')).filter((name) => !named.includes(name))
    expect(missing).to.deep.equal(['sentences'])
  })
})
