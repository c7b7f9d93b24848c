/** The size of the declaration of each resource: lines of its file, and of its other files. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { resources, segmentsOf } from '@publishing-service/domain'
import { root } from './documents.js'
import { markdownTable } from './markdown-table.js'

const domain = join(root, 'packages/domain/src')

const sources = readdirSync(domain, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(path),
)

/** Non-empty lines, including comments. */
const linesOf = (path: string): number =>
  readFileSync(join(domain, path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length

const declarationOf = (name: string): string => {
  const file = `${name.replaceAll(' ', '-')}.ts`
  const found = sources.find((path) => basename(path) === file)
  if (found === undefined) throw new Error(`no file of the domain declares the ${name}`)
  return found
}

/** Files in a directory that declare no resource belong to the resource that the directory is named after. */
const otherLinesOf = (declaration: string, declarations: readonly string[]): number => {
  const folder = dirname(declaration)
  if (basename(declaration, '.ts') !== basename(folder)) return 0
  return sources
    .filter((path) => path.startsWith(`${folder}/`) && !declarations.includes(path))
    .reduce((sum, path) => sum + linesOf(path), 0)
}

/** Rounded up to tens, so that small changes do not change the document. */
const roughly = (lines: number): string => String(Math.ceil(lines / 10) * 10)

export const declarationTable = (): string => {
  const declarations = resources.map(({ name }) => declarationOf(name))
  return markdownTable(
    ['Collection', 'Attributes', 'Lines of its declaration, about', 'of its own rules and types'],
    resources.map((resource, index) => {
      const declaration = declarations[index] ?? ''
      const attributes = Object.values(resource.attributes).filter(
        (attribute) =>
          attribute.kind !== 'computed' && !(attribute.kind === 'stored' && attribute.internal === true),
      )
      return [
        `\`${segmentsOf(resource)}\``,
        String(attributes.length),
        roughly(linesOf(declaration)),
        roughly(otherLinesOf(declaration, declarations)),
      ]
    }),
  )
}
