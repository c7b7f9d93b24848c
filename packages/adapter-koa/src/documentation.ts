/** The pages for people and the files that they load: read at their first use, and served from memory from then on. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createBoundedMap } from '@publishing-service/application'
import {
  unchangingCacheControl,
  type DeploymentFacts,
  type PageName,
} from '@publishing-service/http-contract'
import { assets, renderPage, type Asset } from '@publishing-service/reference-page'
import { loadOnce } from './load-once.js'
import { webFile, type WebFile } from './web-file.js'

export type Documentation = {
  /** Reads the files; nothing more is read later. */
  readonly load: () => Promise<unknown>
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

/** Pages that are kept: all of them for several addresses of the service, from several depths. */
const keptPages = 50

/** The way from a path to the root, so that links work behind a proxy that serves us below a path of its own. */
const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 2) || './'

export const createDocumentation = (facts: DeploymentFacts): Documentation => {
  const pages = createBoundedMap<string, WebFile>(keptPages)
  const loaded = loadOnce(loadAll)
  return {
    load: loaded,
    page: async (name, base, path) => {
      const root = rootFrom(path)
      const key = `${name} ${root} ${base}`
      const kept = pages.get(key)
      if (kept !== undefined) return kept
      const { version } = await loaded()
      const assetPath = (asset: string): string => `docs/assets/${version}/${asset}`
      const html = renderPage(name, { base, root, assetPath, facts })
      const page = await webFile('text/html; charset=utf-8', Buffer.from(html))
      pages.set(key, page)
      return page
    },
    asset: async (asked, name) => {
      const { files, version } = await loaded()
      const file = files.get(name)
      if (file === undefined) return null
      // Under its own version a file never changes; under an older one it is what it has become.
      return asked === version ? { ...file, cacheControl: unchangingCacheControl } : file
    },
  }
}
