/**
 * What is wrong with a packed package, by publint, by Are the types wrong, and by what all packages promise: a licence, the
 * repository, a README whose links lead somewhere, one version.
 */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { isJsonObject } from '@publishing-service/domain/json'
import { publint } from 'publint'

const foundByPublint = async (data: Uint8Array): Promise<readonly string[]> => {
  const { messages } = await publint({ pack: { tarball: new Uint8Array(data).buffer }, strict: true })
  return messages.map(({ code, path }) => `publint finds ${code} at ${path.join('.') || 'the package'}`)
}

type Package = ReturnType<typeof createPackageFromTarballData>

const wrongTypes = async (contents: Package): Promise<readonly string[]> => {
  const checked = await checkPackage(contents)
  if (checked.types === false) return ['it has no types']
  return (
    checked.problems
      // ES modules only: a CommonJS module loads them with import().
      .filter(({ kind }) => kind !== 'CJSResolvesToESM')
      .map((problem) => `Are the types wrong finds ${JSON.stringify(problem)}`)
  )
}

/** A link that leads somewhere outside of the repository: to an address, or to a part of the README. */
const isAbsolute = (link: string): boolean => /^(https:\/\/|#)/.test(link)

export type Expected = {
  readonly version: string
  /** The folder of the package in the repository. */
  readonly directory: string
  /** The version of the development, which nothing of a release names; null for a package of the development. */
  readonly development: string | null
}

const brokenPromises = (
  contents: Package,
  { version, directory, development }: Expected,
): readonly string[] => {
  const folder = `/node_modules/${contents.packageName}`
  const textOf = (name: string): string => contents.tryReadFile(`${folder}/${name}`) ?? ''
  const manifest: unknown = JSON.parse(textOf('package.json'))
  const repository = isJsonObject(manifest) ? manifest['repository'] : null
  const links = [...textOf('README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  return [
    ...(contents.packageVersion === version
      ? []
      : [`its version is ${contents.packageVersion} instead of ${version}`]),
    ...(isJsonObject(repository) && repository['type'] === 'git' && repository['directory'] === directory
      ? []
      : [`repository of its package.json does not name ${directory}`]),
    ...(textOf('LICENSE').includes('Apache License') ? [] : ['LICENSE is not that of the repository']),
    ...(textOf('README.md') === '' ? ['it has no README.md'] : []),
    ...links
      .filter((link) => !isAbsolute(link))
      .map((link) => `README.md has a link that leads nowhere outside of the repository: ${link}`),
    ...(development === null
      ? []
      : contents
          .listFiles(folder)
          .filter((path) => contents.tryReadFile(path)?.includes(development))
          .map((path) => `${path.slice(folder.length + 1)} names the version ${development}`)),
  ]
}

/** The faults of a tarball; none if it can be published. */
export const packageFaults = async (data: Uint8Array, expected: Expected): Promise<readonly string[]> => {
  const contents = createPackageFromTarballData(data)
  const found = await Promise.all([foundByPublint(data), wrongTypes(contents)])
  return [...brokenPromises(contents, expected), ...found.flat()]
}
