/** The documentation pages and the files that they load. Each is read at its first use and then served from memory. */
import { readdir } from 'node:fs/promises'
import { asciiJson } from '@publishing-service/domain/json'
import {
  dataPolicy,
  documentationPages,
  immutableCacheControl,
  type DeploymentFacts,
  type PageName,
} from '@publishing-service/http-contract'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { pagesDirectory } from '@publishing-service/reference-page'
import type { HttpOptions } from './http-options.js'
import type { ReadyResponse } from './ready-response.js'
import { readWebFile, webFile } from './web-file.js'

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

/** The OpenAPI document of this deployment. Creating it takes about a tenth of a second at the start. */
const openApiFileOf = (facts: DeploymentFacts, isCompressed: boolean): ReadyResponse =>
  webFile('application/json; charset=utf-8', Buffer.from(asciiJson(openApiDocument(facts)), 'latin1'), {
    vary: ['Accept'],
    isCompressed,
  })

export type Documentation = {
  /** Reads all files; none is read later. */
  readonly load: () => Promise<unknown>
  readonly openApi: () => Promise<ReadyResponse>
  readonly page: (name: PageName) => Promise<ReadyResponse>
  /** Null where there is no such file. */
  readonly asset: (version: string, name: string) => Promise<ReadyResponse | null>
}

const loadAll = async (isCompressed: boolean) => {
  const files = new Map<string, ReadyResponse>()
  const read = async (path: string): Promise<void> =>
    void files.set(path, await readWebFile(path, pagesDirectory, isCompressed))
  await Promise.all(Object.keys(documentationPages).map((name) => read(`${name}.html`)))
  const [version = ''] = await readdir(new URL('assets/', pagesDirectory))
  const names = await readdir(new URL(`assets/${version}/`, pagesDirectory))
  await Promise.all(names.map((name) => read(`assets/${version}/${name}`)))
  return { version, file: (path: string): ReadyResponse | null => files.get(path) ?? null }
}

export const createDocumentation = (
  options: DeploymentFacts & Pick<HttpOptions, 'compression'>,
): Documentation => {
  const { compression: isCompressed, ...facts } = options
  const loaded = loadOnce(() => loadAll(isCompressed))
  const openApi = loadOnce(async () => openApiFileOf(facts, isCompressed))
  return {
    load: () => Promise.all([openApi(), loaded()]),
    openApi,
    page: async (name) => {
      const page = (await loaded()).file(`${name}.html`)
      if (page === null) throw new Error(`The page ${name} has not been built`)
      return page
    },
    asset: async (requested, name) => {
      const { file: find, version } = await loaded()
      const file = find(`assets/${version}/${name}`)
      if (file === null) return null
      // The address of the current version never changes its file; an older version gets the current file.
      return requested === version ? { ...file, control: immutableCacheControl } : file
    },
  }
}
