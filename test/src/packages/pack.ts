/**
 * Packs packages as they are published, from copies: with the licence, without comments in modules, with links of the README that
 * lead to the repository, and with what follows in package.json from that of the repository and from `exports`.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'
import { root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { stripComments } from './strip-comments.js'

/** The names of the folders of all packages, each of which can be published (docs/decisions/0022-packages-can-be-published.md). */
export const packageNames: readonly string[] = readdirSync(join(root, 'packages'))

const readObject = async (path: string): Promise<JsonObject> => {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!isJsonObject(value)) throw new Error(`${path} is not an object`)
  return value
}

/** The text of a member of an object. */
const textOf = (object: JsonObject, name: string): string => {
  const { [name]: value } = object
  if (typeof value !== 'string') throw new Error(`${name} is not a text`)
  return value
}

const objectOf = (object: JsonObject, name: string): JsonObject => {
  const { [name]: value } = object
  if (!isJsonObject(value)) throw new Error(`${name} is not an object`)
  return value
}

/** The address of the repository in a browser. */
const pageOf = (repository: JsonObject): string => textOf(repository, 'url').replace(/^git\+|\.git$/g, '')

/** The README with links to the repository: relative ones lead nowhere outside of it. */
const withAbsoluteLinks = (readme: string, folder: string, page: string): string =>
  readme.replaceAll(
    /\]\((?![a-z]+:|#)([^)\s]+)\)/g,
    (_, link: string) => `](${page}/blob/HEAD/${posix.normalize(`${folder}/${link}`)})`,
  )

/** What `exports` says, for `moduleResolution: node10`, which does not read it. */
const forNode10 = (exported: JsonObject): JsonObject => {
  const { '.': main, ...others } = Object.fromEntries(
    Object.keys(exported).map((name) => [name, objectOf(exported, name)]),
  )
  if (main === undefined) throw new Error('the package itself is not exported')
  const paths = Object.entries(others).map(([name, entry]) => [name.slice(2), [textOf(entry, 'types')]])
  return {
    main: textOf(main, 'default'),
    types: textOf(main, 'types'),
    ...(paths.length === 0 ? {} : { typesVersions: { '*': Object.fromEntries(paths) } }),
  }
}

const stage = async (staged: string, name: string): Promise<string> => {
  const folder = `packages/${name}`
  const to = join(staged, name)
  await cp(join(root, folder), to, {
    recursive: true,
    filter: (path) => !['node_modules', 'src'].includes(basename(path)) && !path.endsWith('.map'),
  })
  const repository = objectOf(await readObject(join(root, 'package.json')), 'repository')
  const page = pageOf(repository)
  const manifest = await readObject(join(to, 'package.json'))
  const completed = {
    ...manifest,
    repository: { ...repository, directory: folder },
    homepage: `${page}/tree/HEAD/${folder}#readme`,
    bugs: `${page}/issues`,
    ...forNode10(objectOf(manifest, 'exports')),
  }
  const readme = await readFile(join(to, 'README.md'), 'utf8')
  await Promise.all([
    writeFile(join(to, 'package.json'), `${JSON.stringify(completed, null, 2)}\n`),
    writeFile(join(to, 'README.md'), withAbsoluteLinks(readme, folder, page)),
    cp(join(root, 'LICENSE'), join(to, 'LICENSE')),
    stripComments(join(to, 'dist')),
  ])
  return to
}

/** Writes the tarballs of packages to a folder. Nothing changes in the checkout. */
export const packPackages = async (
  destination: string,
  names: readonly string[] = packageNames,
): Promise<void> => {
  const staged = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    await mkdir(destination, { recursive: true })
    const folders = await Promise.all(names.map((name) => stage(staged, name)))
    const quoted = folders.map((folder) => `'${folder}'`).join(' ')
    await runScript(`npm pack --silent ${quoted} --pack-destination '${destination}'`, { directory: staged })
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}
