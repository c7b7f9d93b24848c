/**
 * Packs packages as they are published, from copies: with the licence, without comments in modules, with links of the README that
 * lead to the repository, and with what follows in package.json from that of the repository and from `exports`.
 */
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix } from 'node:path'
import type { JsonObject } from '@publishing-service/domain/json'
import { root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { withVersion } from '../release/version.js'
import { objectOf, readObject, textOf } from './json-members.js'
import { stripComments } from './strip-comments.js'

/** The names of the folders of all packages, each of which can be published (docs/decisions/0022-packages-can-be-published.md). */
export const packageNames: readonly string[] = readdirSync(join(root, 'packages'))

/** The address of the repository in a browser. */
const pageOf = (repository: JsonObject): string => textOf(repository, 'url').replace(/^git\+|\.git$/g, '')

const rootManifest = (): Promise<JsonObject> => readObject(join(root, 'package.json'))

export const repositoryPage = async (): Promise<string> =>
  pageOf(objectOf(await rootManifest(), 'repository'))

/** The file name of a packed package. */
export const tarballOf = (name: string, version: string): string =>
  `publishing-service-${name}-${version}.tgz`

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

/** Files of a package that can name its version: manifests, modules and what they say of themselves, pages. */
const namesVersions = /\.(json|c?js|ts|md|html)$/

const setVersion = async (directory: string, from: string, to: string): Promise<void> => {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!namesVersions.test(name)) continue
    const path = join(directory, name)
    const text = await readFile(path, 'utf8')
    if (text.includes(from)) await writeFile(path, withVersion(text, from, to))
  }
}

/**
 * Whether a file belongs to the last build of the bundle, or is not in its folder, which also has files of the build before, for
 * processes that still run.
 */
const isOfLastBuild = async (folder: string): Promise<(path: string) => boolean> => {
  const bundle = join(folder, 'dist', 'bundle')
  const list = join(bundle, 'files.json')
  if (!existsSync(list)) return () => true
  const names = new Set<unknown>([basename(list), ...Object.values(await readObject(list)).flat()])
  return (path) => dirname(path) !== bundle || names.has(basename(path))
}

const stage = async (staged: string, name: string, version: string | null): Promise<string> => {
  const folder = `packages/${name}`
  const to = join(staged, name)
  const isPresent = await isOfLastBuild(join(root, folder))
  await cp(join(root, folder), to, {
    recursive: true,
    filter: (path) =>
      !['node_modules', 'src'].includes(basename(path)) && !path.endsWith('.map') && isPresent(path),
  })
  const workspace = await rootManifest()
  const repository = objectOf(workspace, 'repository')
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
  if (version !== null) await setVersion(to, textOf(workspace, 'version'), version)
  return to
}

/**
 * Writes the tarballs of packages to a folder, in the version of the checkout or in another one, which they then also report.
 * Nothing changes in the checkout.
 */
export const packPackages = async (
  destination: string,
  names: readonly string[] = packageNames,
  version: string | null = null,
): Promise<void> => {
  const staged = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    await mkdir(destination, { recursive: true })
    const folders = await Promise.all(names.map((name) => stage(staged, name, version)))
    const quoted = folders.map((folder) => `'${folder}'`).join(' ')
    await runScript(`npm pack --silent ${quoted} --pack-destination '${destination}'`, { directory: staged })
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}
