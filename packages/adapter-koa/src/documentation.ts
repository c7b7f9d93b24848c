/** The pages for people and the files that they load: read at their first use, and served from memory from then on. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import {
  asciiJson,
  unchangingCacheControl,
  type DeploymentFacts,
  type PageName,
} from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { assets, renderPage, type Asset } from '@publishing-service/reference-page'
import { webFile, type WebFile } from './web-file.js'

/** What a browser may do with pages: load and call what the service itself has, and show images that a call returned. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The Content-Security-Policy of every response to a path of the documentation, be there something or not; null for all
 * other paths. The document for programs is nothing but shown.
 */
export const documentationPolicy = (path: string): string | null => {
  if (/^\/docs(?:\/|$)/.test(path)) return pagePolicy
  return /^\/openapi\.json\/?$/.test(path) ? "default-src 'none'" : null
}

/**
 * Loads something at its first use and returns the same from then on; simultaneous uses share one load. A rejection is
 * not cached: the next use loads again. This does not help `import()`, whose rejections Node.js itself caches for the
 * life of the process, so modules that requests need are imported before the service listens.
 */
const loadOnce = <A>(load: () => Promise<A>): (() => Promise<A>) => {
  let loading: Promise<A> | null = null
  return () => {
    if (loading === null) {
      const current = load()
      loading = current
      current.catch(() => {
        loading = null
      })
    }
    return loading
  }
}

/** The document of the API as this deployment sends it. Making it takes some ten milliseconds. */
const openApiFileOf = (facts: DeploymentFacts): Promise<WebFile> =>
  webFile('application/json; charset=utf-8', Buffer.from(asciiJson(openApiDocument(facts)), 'latin1'), [
    'Accept',
  ])

export type Documentation = {
  /** Reads all of it; nothing more is read later. */
  readonly load: () => Promise<unknown>
  readonly openApi: () => Promise<WebFile>
  /** `path` is that of the request, from which links lead on. */
  readonly page: (name: PageName, base: string, path: string) => Promise<WebFile>
  /** Null where there is no such file. */
  readonly asset: (version: string, name: string) => Promise<WebFile | null>
}

const load = async ({ type, source }: Asset): Promise<WebFile> =>
  webFile(type, typeof source === 'function' ? Buffer.from(source()) : await readFile(source))

const loadAll = async () => {
  const files = new Map<string, WebFile>()
  for (const [name, asset] of assets) files.set(name, await load(asset))
  const version = hash('sha1', [...files.values()].map(({ tag }) => tag).join(' '), 'base64url').slice(0, 12)
  return { files, version }
}

/** Pages that are cached: all of them for several addresses of the service, from several depths. */
const cachedPages = 50

/** The way from a path to the root, so that links work behind a proxy that serves us below a path of its own. */
const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

export const createDocumentation = (facts: DeploymentFacts): Documentation => {
  const pages = new LRUCache<string, WebFile>({ max: cachedPages })
  const loaded = loadOnce(loadAll)
  const openApi = loadOnce(() => openApiFileOf(facts))
  return {
    load: () => Promise.all([openApi(), loaded()]),
    openApi,
    page: async (name, base, path) => {
      const root = rootFrom(path)
      const key = `${name} ${root} ${base}`
      const cached = pages.get(key)
      if (cached !== undefined) return cached
      const { version } = await loaded()
      const assetPath = (asset: string): string => `docs/assets/${version}/${asset}`
      const html = renderPage(name, { base, root, assetPath, facts })
      const page = await webFile('text/html; charset=utf-8', Buffer.from(html))
      pages.set(key, page)
      return page
    },
    asset: async (requested, name) => {
      const { files, version } = await loaded()
      const file = files.get(name)
      if (file === undefined) return null
      // Under its own version a file never changes; under an older one it is the newest file.
      return requested === version ? { ...file, cacheControl: unchangingCacheControl } : file
    },
  }
}
