/** References in documents: links, files, addresses, variables. */
import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { blocksOf, inlineCodeOf, proseOf, root, type Document } from './documents.js'

/** The targets of Markdown links. */
export const linksOf = (document: Document): readonly string[] =>
  [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')

/** The anchors of a document’s headings. */
export const anchorsOf = (document: Document): readonly string[] =>
  [...proseOf(document).matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

type Targets = {
  /** All files and directories of the repository. */
  readonly paths: ReadonlySet<string>
  /** The documents whose headings are known. */
  readonly pages: readonly Document[]
}

/** The links of a document that lead to no file or heading of the repository; other addresses are not looked at. */
export const brokenLinksOf = (document: Document, { paths, pages }: Targets): readonly string[] =>
  linksOf(document).filter((link) => {
    const [target = '', anchor] = link.split('#')
    if (/^https?:/.test(target)) return false
    const path =
      target === '' ? document.path : posix.normalize(posix.join(posix.dirname(document.path), target))
    if (!paths.has(path.replace(/\/$/, ''))) return true
    if (anchor === undefined) return false
    const linked = pages.find((each) => each.path === path)
    return linked === undefined || !anchorsOf(linked).includes(anchor)
  })

const ignored = new Set(['node_modules', 'dist', '.git', '.astro', 'data'])

const pathsIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.has(entry.name)) return []
    return entry.isDirectory() ? [path, ...pathsIn(path)] : [path]
  })

/**
 * All files and directories of the repository, relative to its root, without build output and installed packages.
 */
export const repositoryPaths = (): ReadonlySet<string> => new Set(pathsIn(''))

const extensions = 'ts|js|cjs|json|md|yml|png|jpg|sqlite'

/** Files and directories in inline code: paths, and names of files. Patterns (`*`) are not included. */
export const namedPathsOf = (document: Document): readonly string[] =>
  inlineCodeOf(document)
    .filter((code) => !/[*<>{}…\s=:]/.test(code))
    .filter(
      (code) =>
        /^(?:packages|test|docs|\.ci)\//.test(code) ||
        new RegExp(`^[\\w./-]+\\.(?:${extensions})$`).test(code),
    )
    .map((code) => code.replace(/\/$|#.*$/, ''))

/** The files that a document’s diffs create. */
export const filesOfDiffs = (document: Document): readonly string[] =>
  blocksOf(document)
    .filter(({ language }) => language === 'diff')
    .flatMap(({ text }) => [...text.matchAll(/^\+\+\+ b\/(\S+)$/gm)].map((match) => match[1] ?? ''))

const assignment = /^\s*(?:export )?([A-Z][A-Z0-9_]*)=/

/** Variables that a document’s commands assign without running a command on the same line. */
export const assignedVariablesOf = (document: Document): ReadonlySet<string> =>
  new Set(
    blocksOf(document)
      .filter(({ language }) => language === 'sh' || language === 'text')
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => /^[A-Z][A-Z0-9_]*=(?:\S*|"[^"]*"|\$\(.*\))$/.test(line.trim()))
      .map((line) => assignment.exec(line)?.[1] ?? ''),
  )

/** Words that can only be environment variables: capitals with underscores, or inline code in capitals. */
export const variablesOf = (document: Document): readonly string[] => [
  ...[...document.text.matchAll(/(?<![\w$/.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w/.-]*\w)/g)].map(
    ([name]) => name,
  ),
  ...inlineCodeOf(document).flatMap((code) => /^([A-Z][A-Z0-9]+)(?:=.*)?$/.exec(code)?.[1] ?? []),
]
