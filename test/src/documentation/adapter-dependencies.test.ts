/** The packages that npm installs for an author of an adapter, from the manifests and the lock file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from './documents.js'

type Entry = {
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>
}

/**
 * Resolves a dependency of the package at this path as Node does: in its own node_modules, then in each parent.
 */
const resolvedPath = (name: string, from: string): string => {
  const own = `${from}${from === '' ? '' : '/'}node_modules/${name}`
  if (packages[own] !== undefined) return own
  if (from === '') throw new Error(`The lock file has no package ${name}`)
  return resolvedPath(name, from.split('/').slice(0, -1).join('/'))
}

/** The names of these packages and of all their transitive dependencies. */
const installed = (names: readonly string[]): ReadonlySet<string> => {
  const paths = new Set<string>()
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const path = resolvedPath(name, from)
    if (paths.has(path)) return
    paths.add(path)
    found.add(name)
    const link = packages[path]
    const own = link?.link === true ? (link.resolved ?? path) : path
    const { dependencies, optionalDependencies } = packages[own] ?? {}
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, own)
  }
  for (const name of names) add(name, '')
  return found
}

const scope = '@publishing-service/'
const forAuthors = ['domain', 'ports', 'image-header', 'conformance'].map((name) => scope + name)

/** The web framework, the database drivers and the imaging libraries. */
const heavy = /^(?:koa|@koa\/.+|mongodb|bson|minio|jimp|@jimp\/.+|sharp|better-sqlite3|piscina|pino)$/

describe('the packages that npm installs for an author of an adapter', () => {
  it('include exactly the four packages of this repository that an adapter needs', () => {
    const own = [...installed(forAuthors)].filter((name) => name.startsWith(scope))
    expect(own.toSorted()).to.deep.equal(forAuthors.toSorted())
  })

  it('include no web framework, database driver or imaging library', () => {
    expect([...installed(forAuthors)].filter((name) => heavy.test(name))).to.deep.equal([])
    const ofTheService = installed([`${scope}composition-root`])
    for (const name of ['koa', 'mongodb', 'minio', '@jimp/core', 'better-sqlite3'])
      expect(ofTheService, 'what the service itself has').to.include(name)
  })

  it('agree with the package manifests', () => {
    for (const name of forAuthors) {
      const folder = `packages/${name.slice(scope.length)}`
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Entry
      expect(packages[folder]?.dependencies ?? {}, name).to.deep.equal(manifest.dependencies ?? {})
    }
  })
})
