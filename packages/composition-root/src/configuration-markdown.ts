/** The table of docs/configuration.md, generated from the table of variables. */
import { configurationTable, type Variable } from './configuration-table.js'

type Row = readonly [name: string, fallback: string, meaning: string]

// A pipe would end the cell, also within code.
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

const shownFallback = ({ fallback, fallbackWords }: Variable<unknown>): string =>
  fallbackWords ?? (fallback === null || fallback === '' ? '' : `\`${cell(fallback)}\``)

const shownName = (name: string, { secret }: Variable<unknown>): string =>
  secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``

const rowOf = ([name, variable]: readonly [string, Variable<unknown>]): Row => [
  shownName(name, variable),
  shownFallback(variable),
  cell(variable.description),
]

const head: Row = ['Variable', 'Default', 'Meaning']

/** Every variable with its default and meaning: a Markdown table with even columns, and a line break at its end. */
export const configurationMarkdown = (): string => {
  const rows = Object.entries<Variable<unknown>>(configurationTable).map(rowOf)
  const widths = head.map((_cell, column) =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((each, column) => each.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n')
}
