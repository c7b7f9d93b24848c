/** What documents name: links, files, addresses, variables. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, inlineCodeOf, proseOf, root, type Document } from './documents.js'

/** The targets of Markdown links. */
export const linksOf = (document: Document): readonly string[] =>
  [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')

/** The anchors that a document's headings make. */
export const anchorsOf = (document: Document): readonly string[] =>
  [...proseOf(document).matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const left = new Set(['node_modules', 'dist', '.git', 'data', 'bench-results'])

const walk = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (left.has(entry.name)) return []
    return entry.isDirectory() ? [path, ...walk(path)] : [path]
  })

/** Every file and folder of the repository, from its root; nothing that is built or installed. */
export const repositoryPaths = (): ReadonlySet<string> => new Set(walk(''))

const extensions = 'ts|js|cjs|json|md|yml|png|jpg|sqlite'

/** Files and folders named in inline code: whole paths, and names of files alone. Patterns (`*`) name nothing. */
export const namedPathsOf = (document: Document): readonly string[] =>
  inlineCodeOf(document)
    .filter((code) => !/[*<>{}…\s=:]/.test(code))
    .filter(
      (code) =>
        /^(?:packages|test|docs|\.ci)\//.test(code) ||
        new RegExp(`^[\\w./-]+\\.(?:${extensions})$`).test(code),
    )
    .map((code) => code.replace(/\/$|#.*$/, ''))

/** The files that a document's diffs make. */
export const filesOfDiffs = (document: Document): readonly string[] =>
  blocksOf(document)
    .filter(({ language }) => language === 'diff')
    .flatMap(({ text }) => [...text.matchAll(/^\+\+\+ b\/(\S+)$/gm)].map((match) => match[1] ?? ''))

const assignment = /^\s*(?:export )?([A-Z][A-Z0-9_]*)=/

/** Variables that a document's commands set for themselves: an assignment that no command follows on its line. */
export const ownVariablesOf = (document: Document): ReadonlySet<string> =>
  new Set(
    blocksOf(document)
      .filter(({ language }) => language === 'sh' || language === 'text')
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => /^[A-Z][A-Z0-9_]*=(?:\S*|"[^"]*"|\$\(.*\))$/.test(line.trim()))
      .map((line) => assignment.exec(line)?.[1] ?? ''),
  )

/** Words that can only be variables of the environment: capitals joined by underscores, or code in capitals. */
export const variablesOf = (document: Document): readonly string[] => [
  ...[...document.text.matchAll(/(?<![\w$/.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w/.-]*\w)/g)].map(
    ([name]) => name,
  ),
  ...inlineCodeOf(document).flatMap((code) => /^([A-Z][A-Z0-9]+)(?:=.*)?$/.exec(code)?.[1] ?? []),
]
