import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { describeMedia, webDirectory } from '@publishing-service/dashboard'
import { dashboardPath, immutableCacheControl } from '@publishing-service/http-contract'
import { loadOnce } from './documentation.js'
import type { HttpOptions } from './http-options.js'
import type { ReadyResponse } from './ready-response.js'
import { readWebFile, webFile } from './web-file.js'

/**
 * Scripts and styles are files of the service; style elements need the nonce of the page. Images are also shown from
 * other places, because articles embed them; `blob:` are files of the library, which the page loads with its session.
 */
const policyWith = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const policy = policyWith('')

/** Whether a path is one of the dashboard, whether or not it has a file. */
export const isOfDashboard = (path: string): boolean =>
  path === dashboardPath || path.startsWith(`${dashboardPath}/`)

/** The Content-Security-Policy of every response to a path of the dashboard, errors included; null for all other paths. */
export const dashboardPolicy = (path: string): string | null => (isOfDashboard(path) ? policy : null)

export type DashboardOptions = Pick<HttpOptions, 'compression' | 'streamingHosts'>

/** A script, style or image of the dashboard. Its name changes with its content. */
const load = async (path: string, isCompressed: boolean): Promise<ReadyResponse> => ({
  ...(await readWebFile(path, webDirectory, isCompressed)),
  control: immutableCacheControl,
})

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;' }

/** As the value of an attribute of HTML. */
const attributeText = (value: unknown): string =>
  JSON.stringify(value).replace(/[&"]/g, (each) => escaped[each] ?? each)

const loadAll = async ({ compression: isCompressed, streamingHosts }: DashboardOptions) => {
  const names = await readdir(new URL('assets/', webDirectory))
  const files = await Promise.all(
    names.map(async (name) => [name, await load(`assets/${name}`, isCompressed)] as const),
  )
  const page = await readFile(new URL('index.html', webDirectory), 'utf8')
  const media = attributeText(describeMedia(streamingHosts))
  return { page: page.replace('content="MEDIA"', () => `content="${media}"`), assets: new Map(files) }
}

/** The files of the dashboard. They are read at the first request and then served from memory. */
export const createDashboard = (options: DashboardOptions) => {
  const files = loadOnce(() => loadAll(options))
  return {
    /** Null where there is no such file. */
    asset: async (name: string): Promise<ReadyResponse | null> => (await files()).assets.get(name) ?? null,

    /** The page, with a new nonce and the policy that accepts it. */
    page: async (): Promise<ReadyResponse> => {
      const nonce = randomBytes(16).toString('base64url')
      const body = Buffer.from((await files()).page.replaceAll('NONCE', nonce))
      return {
        ...webFile('text/html; charset=utf-8', body, { isCompressed: options.compression }),
        // Another nonce is another page.
        tag: '',
        control: 'no-cache',
        policy: policyWith(` 'nonce-${nonce}'`),
      }
    },
  }
}
