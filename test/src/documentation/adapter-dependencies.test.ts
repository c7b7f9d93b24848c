/** What npm installs for an author of an adapter, by what the packages declare and the lock file says of the rest. */
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

/** Where a package that is wanted at this place is installed: there, or at the nearest place above. */
const placeOf = (name: string, wantedAt: string): string => {
  const own = `${wantedAt}${wantedAt === '' ? '' : '/'}node_modules/${name}`
  if (packages[own] !== undefined) return own
  if (wantedAt === '') throw new Error(`The lock file has no package ${name}`)
  return placeOf(name, wantedAt.split('/').slice(0, -1).join('/'))
}

/** The names of all packages that come with these, which are among them. */
const installed = (names: readonly string[]): ReadonlySet<string> => {
  const places = new Set<string>()
  const found = new Set<string>()
  const add = (name: string, wantedAt: string): void => {
    const place = placeOf(name, wantedAt)
    if (places.has(place)) return
    places.add(place)
    found.add(name)
    const link = packages[place]
    const own = link?.link === true ? (link.resolved ?? place) : place
    const { dependencies, optionalDependencies } = packages[own] ?? {}
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, own)
  }
  for (const name of names) add(name, '')
  return found
}

const scope = '@publishing-service/'
const forAuthors = ['domain', 'ports', 'conformance'].map((name) => scope + name)

/** Of the web framework, the drivers and the imaging libraries. */
const heavy = /^(?:koa|@koa\/.+|mongodb|bson|minio|jimp|@jimp\/.+|sharp|better-sqlite3|piscina|pino)$/

describe('What npm installs for an author of an adapter', () => {
  it('is the four packages of this repository that an adapter needs, and no others of it', () => {
    const own = [...installed(forAuthors)].filter((name) => name.startsWith(scope))
    expect(own.toSorted()).to.deep.equal(forAuthors.toSorted())
  })

  it('has no web framework, database driver or imaging library', () => {
    expect([...installed(forAuthors)].filter((name) => heavy.test(name))).to.deep.equal([])
    const ofTheService = installed([`${scope}composition-root`])
    for (const name of ['koa', 'mongodb', 'minio', '@jimp/core', 'better-sqlite3'])
      expect(ofTheService, 'what the service itself has').to.include(name)
  })

  it('is what the manifests of the packages say', () => {
    for (const name of forAuthors) {
      const folder = `packages/${name.slice(scope.length)}`
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Entry
      expect(packages[folder]?.dependencies ?? {}, name).to.deep.equal(manifest.dependencies ?? {})
    }
  })
})
