import { expect } from 'chai'
import { describe, it } from 'mocha'
import { configurationMarkdown } from './configuration-markdown.js'
import { configurationTable, type Variable } from './configuration-table.js'

/** The cells of a row; a pipe after a backslash is text. */
const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

describe('configurationMarkdown', () => {
  const lines = configurationMarkdown().trimEnd().split('\n')
  const [head, rule, ...rows] = lines.map(cellsOf)

  it('has a row for every variable, in the order of the table, in even columns', () => {
    expect(head).to.deep.equal(['Variable', 'Default', 'Meaning'])
    expect(rule?.every((cell) => /^-{3,}$/.test(cell))).to.equal(true)
    expect(rows.map(([name]) => /^`(\w+)`/.exec(name ?? '')?.[1])).to.deep.equal(
      Object.keys(configurationTable),
    )
    expect(new Set(lines.map((line) => [...line].length)).size).to.equal(1)
  })

  for (const [index, [name, variable]] of Object.entries<Variable<unknown>>(configurationTable).entries())
    it(`describes ${name} and its default`, () => {
      const [names, fallback, meaning] = rows[index] ?? []
      expect(names?.includes(`${name}_FILE`)).to.equal(variable.secret === true)
      if (variable.fallback === '' || variable.fallback === null) expect(fallback).to.equal('')
      else expect(fallback).to.equal(variable.fallbackWords ?? `\`${variable.fallback}\``)
      expect(meaning).to.match(/^\S.{10,}[.]$/)
    })
})
