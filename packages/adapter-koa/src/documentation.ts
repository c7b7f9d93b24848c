/** The documentation pages and the files that they load. Each is read at its first use and then served from memory. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import {
  asciiJson,
  dataPolicy,
  immutableCacheControl,
  sharedCacheControl,
  type DeploymentFacts,
  type PageName,
} from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { assets, renderPage, type Asset } from '@publishing-service/reference-page'
import { hasForwardedLinks, type HttpOptions } from './http-options.js'
import type { ReadyResponse } from './ready-response.js'
import { webFile } from './web-file.js'

/** Pages may load files of the service, call it, and show images that a call returned. */
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
 * The Content-Security-Policy of every response to a path of the documentation, errors included; null for all other
 * paths. The OpenAPI document loads nothing.
 */
export const documentationPolicy = (path: string): string | null => {
  if (/^\/docs(?:\/|$)/.test(path)) return pagePolicy
  return /^\/openapi\.json\/?$/.test(path) ? `default-src 'none'; ${dataPolicy}` : null
}

/**
 * Loads something at its first use and returns the same from then on; simultaneous uses share one load. A rejection is
 * not cached: the next use loads again. This does not help `import()`, whose rejections Node.js itself caches for the
 * life of the process, so modules that requests need are imported before the service listens.
 */
export const loadOnce = <A>(load: () => Promise<A>): (() => Promise<A>) => {
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

/** The OpenAPI document of this deployment. Creating it takes about ten milliseconds. */
const openApiFileOf = (facts: DeploymentFacts, isCompressed: boolean): ReadyResponse =>
  webFile('application/json; charset=utf-8', Buffer.from(asciiJson(openApiDocument(facts)), 'latin1'), {
    vary: ['Accept'],
    isCompressed,
  })

export type Documentation = {
  /** Reads all files; none is read later. */
  readonly load: () => Promise<unknown>
  readonly openApi: () => Promise<ReadyResponse>
  /** `path` is the path of the request, which links are relative to. */
  readonly page: (name: PageName, base: string, path: string) => Promise<ReadyResponse>
  /** Null where there is no such file. */
  readonly asset: (version: string, name: string) => Promise<ReadyResponse | null>
}

const load = async ({ type, source }: Asset, isCompressed: boolean): Promise<ReadyResponse> =>
  webFile(type, typeof source === 'function' ? Buffer.from(source()) : await readFile(source), {
    isCompressed,
  })

const loadAll = async (isCompressed: boolean) => {
  const files = new Map<string, ReadyResponse>()
  for (const [name, asset] of assets) files.set(name, await load(asset, isCompressed))
  const version = hash('sha1', [...files.values()].map(({ tag }) => tag).join(' '), 'base64url').slice(0, 12)
  return { files, version }
}

/** Cached pages: enough for all pages at several addresses of the service and path depths. */
const cachedPages = 50

/** The relative path to the root, so that links work behind a proxy that adds a path prefix. */
const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

export const createDocumentation = (
  options: DeploymentFacts & Pick<HttpOptions, 'compression' | 'trustProxy'>,
): Documentation => {
  const { compression: isCompressed, trustProxy: _, ...facts } = options
  const pages = new LRUCache<string, ReadyResponse>({ max: cachedPages })
  const loaded = loadOnce(() => loadAll(isCompressed))
  const openApi = loadOnce(async () => openApiFileOf(facts, isCompressed))
  const isForwarded = hasForwardedLinks(options)
  const control = sharedCacheControl({ caching: 'documentation', isPublic: true, isForwarded })
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
      const page = {
        ...webFile('text/html; charset=utf-8', Buffer.from(html), { isCompressed }),
        control,
      }
      pages.set(key, page)
      return page
    },
    asset: async (requested, name) => {
      const { files, version } = await loaded()
      const file = files.get(name)
      if (file === undefined) return null
      // The address of the current version never changes its file; an older version gets the current file.
      return requested === version ? { ...file, control: immutableCacheControl } : file
    },
  }
}
