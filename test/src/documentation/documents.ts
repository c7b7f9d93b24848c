/** The documents of the project: README, docs, and the READMEs of packages, as text and code blocks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root directory of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

export type Document = {
  /** The path from the root, with slashes. */
  readonly path: string
  readonly text: string
}

export type Block = {
  /** The language after the opening fence; empty if there is none. */
  readonly language: string
  readonly text: string
  /** The line of the opening fence, from 1. */
  readonly line: number
}

export const readDocument = (path: string): Document => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
})

const inDocs = (): readonly string[] =>
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .toSorted()

const ofPackages = (): readonly string[] =>
  readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path)))

/** All documents, README first. */
export const documents = (): readonly Document[] =>
  ['README.md', ...inDocs(), ...ofPackages()].map(readDocument)

/** The fenced code blocks of a document, in order. */
export const blocksOf = ({ path, text }: Document): readonly Block[] => {
  const blocks: Block[] = []
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(\S*)\s*$/.exec(line)
    if (open === null && fence !== null) open = { language: fence[1] ?? '', line: index + 1, lines: [] }
    else if (open !== null && line === '```') {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') })
      open = null
    } else open?.lines.push(line)
  }
  if (open !== null) throw new Error(`${path}: the block of line ${open.line} has no end`)
  return blocks
}

/** The text without its code blocks. Line numbers do not change. */
export const proseOf = ({ text }: Document): string =>
  text.replaceAll(/^```[^]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''))

/** Inline code outside of code blocks, on one line. */
export const inlineCodeOf = (document: Document): readonly string[] =>
  [...proseOf(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '')
