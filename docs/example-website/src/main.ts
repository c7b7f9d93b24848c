/** The website as an HTTP server. The service says what is at the paths of its pages. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { arrayBuffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createClient, ServiceError, verifyWebhook } from '@publishing-service/client'
import { createCache } from './cache.js'
import { calendar } from './calendar.js'
import { documentOf } from './document.js'
import { markup } from './markup.js'
import { ownPage, type Page } from './own-page.js'
import { pageOf } from './pages.js'
import { heading } from './parts.js'
import { directory } from './places.js'
import { openPublication } from './publication.js'
import { search } from './search.js'

const {
  SERVICE: service = 'http://127.0.0.1:8080',
  INSTANCE: instance = '1',
  API_KEY: key = '',
  API_SECRET: secret = '',
  WEBHOOK_SECRET: hookSecret = '',
} = process.env
const visitors = createClient({ service, retries: 0 })
const client = key === '' ? createClient({ service }) : createClient({ service, key, secret })
const publication = await openPublication(Number(instance), client, visitors)

type Answer = { readonly status: number; readonly location?: string; readonly html: string }

const sent = async (status: number, page: Page, address = ''): Promise<Answer> => ({
  status,
  html: await documentOf(publication, address, page),
})

const notice = async (status: number, title: string, lead: string): Promise<Answer> => {
  const main = markup`${heading({ title, lead })}<p class="more"><a href="/">To the front page</a></p>`
  return sent(status, await ownPage(publication, { title, main }))
}
const missing = () => notice(404, 'Not found', 'There is no page at this address.')

/** The pages of the website that are no objects of the service. */
const ownPages = async (path: string, query: URLSearchParams, number: number): Promise<Page | null> => {
  const [isCalendar, month] = /^\/calendar\/(?:((?:19|20)\d\d-(?:0[1-9]|1[0-2]))\/)?$/.exec(path) ?? []
  if (isCalendar !== undefined) return calendar(publication, month ?? new Date().toISOString().slice(0, 7))
  if (path === '/locations/') return directory(publication, query, number)
  return path === '/search/' ? search(publication, query, number) : null
}

const previewMark = markup`<p class="preview" role="note">Preview: not everybody sees this.</p>`

/** The page at a path; with the client of a preview, as the preview shows it. */
const show = async (address: string, from = client): Promise<Answer> => {
  const { pathname, search: query, searchParams } = new URL(`http://website${address}`)
  const number = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  const own = await ownPages(pathname, searchParams, number)
  if (own !== null) return sent(200, own, pathname)
  const found = await publication.page(pathname + query, number, from)
  if (found?.kind === 'redirect') return { status: found.status, location: found.location, html: '' }
  const page = found && (await pageOf(publication, found, number))
  if (page === null) return missing()
  return sent(200, from === client ? page : { ...page, main: [previewMark, page.main] }, pathname)
}

/** Five minutes, because lists and calendars change by the clock too; only if web hooks tell of other changes. */
const pages = createCache<Answer>(hookSecret === '' ? 0 : 300_000)

const sendPage = (response: ServerResponse, { status, location, html }: Answer) => {
  if (location !== undefined) response.setHeader('Location', location)
  return response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
}

/** The address of the visitor, for the limits of the service. A proxy in front of the website has to set the header. */
const visitorOf = ({ headers, socket }: IncomingMessage): string =>
  String(headers['x-forwarded-for'] ?? socket.remoteAddress)

/** Headers of the service; the last two prevent that a file runs scripts as a page of the website. */
const passedOn =
  'Content-Type Content-Length Content-Range Cache-Control ETag Vary Location Content-Disposition Content-Security-Policy'.split(
    ' ',
  )

/** Passes on what the service has for the public: files, feeds and sitemaps. */
const passOn = async (request: IncomingMessage, response: ServerResponse, address: string) => {
  const { accept = '*/*', range, 'if-none-match': tag } = request.headers
  // Without compression, the length is that of what is passed on.
  const headers = {
    Accept: accept,
    'X-Forwarded-For': visitorOf(request),
    'Accept-Encoding': 'identity',
    ...(range && { Range: range }),
    ...(tag && { 'If-None-Match': tag }),
  }
  const answer = await fetch(`${service}/${publication.path.iid}${address}`, { headers, redirect: 'manual' })
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  response.writeHead(answer.status)
  return answer.body === null ? response.end() : pipeline(Readable.fromWeb(answer.body), response)
}

const types = {
  'style.css': 'text/css',
  'icon.svg': 'image/svg+xml',
  'search.js': 'text/javascript',
  'near.js': 'text/javascript',
  'gallery.js': 'text/javascript',
}
const assets = new Map<string, { readonly data: Buffer; readonly type: string }>()
for (const [name, type] of Object.entries(types))
  assets.set(`/${name}`, { data: await readFile(new URL(`../public/${name}`, import.meta.url)), type })

/** More than a form or an event has. */
const mostBytes = 64 * 1024

/** A web hook of the service: something has changed, so every page is made again when it is requested. */
const receiveEvent = async ({ headers }: IncomingMessage, body: Uint8Array<ArrayBuffer>): Promise<number> => {
  const get = (name: string) => String(headers[name] ?? '')
  if (hookSecret === '' || !(await verifyWebhook({ secret: hookSecret, headers: { get }, body }))) return 401
  pages.clear()
  publication.forget()
  return 204
}

/** What is sent to the website: events and comments. */
const receive = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const { method, url, headers } = request
  response.setHeader('Cache-Control', 'no-store')
  const isKnown = method === 'POST' && (url === '/webhook' || url === '/comments/')
  if (!isKnown) return response.writeHead(405, { Allow: 'GET, HEAD' }).end()
  const isShort = Number(headers['content-length']) <= mostBytes
  if (!isShort) return response.writeHead(413, { Connection: 'close' }).end()
  const body = Buffer.from(await arrayBuffer(request))
  if (url === '/webhook') return response.writeHead(await receiveEvent(request, body)).end()
  const fault = await publication.sendComment(new URLSearchParams(body.toString()), visitorOf(request))
  const [status, title, text] = fault ?? [200, 'Thank you', 'An editor reads your comment before it appears.']
  return sendPage(response, await notice(status, title, text))
}

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const { url = '/', method } = request
  const { pathname, search: sought, searchParams } = new URL(`http://website${url}`)
  if (method !== 'GET' && method !== 'HEAD') return receive(request, response)
  if (/^\/(files\/[^/]+\/download\/|feed\/|(news-)?sitemap\.xml$|robots\.txt$)/.test(pathname))
    return passOn(request, response, pathname + sought)
  const asset = assets.get(pathname)
  if (asset !== undefined) return response.setHeader('Content-Type', asset.type).end(asset.data)
  if (pathname === '/preview/') {
    const token = searchParams.get('token') ?? ''
    const draft = client.preview(token)
    const shown = await show(searchParams.get('path') ?? '/', draft).catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.status === 401)) throw error
      return notice(403, 'This preview has ended', 'Ask an editor for a new one.')
    })
    const { location = '' } = shown
    // The token shows the page that the path leads to.
    const query = new URLSearchParams({ path: location, token }).toString()
    const within = location.startsWith('/') ? { ...shown, location: `/preview/?${query}` } : shown
    return sendPage(response.setHeader('Cache-Control', 'no-store'), within)
  }
  return sendPage(response, await pages.get(url, () => show(url)))
}

// Placeholders of images are in attributes, which bodies cannot have; media of other hosts load when a visitor starts them.
const policy =
  "default-src 'self'; img-src 'self' data:; style-src-attr 'unsafe-inline'; media-src 'self' https:; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const server = createServer((request, response) => {
  response.setHeader('Content-Security-Policy', policy).setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'strict-origin-when-cross-origin')
  response.setHeader('Cache-Control', 'public, max-age=60')
  respond(request, response).catch(async (error: unknown) => {
    const isMissing = error instanceof ServiceError && (error.status === 400 || error.status === 404)
    if (isMissing) return sendPage(response, await missing())
    process.stderr.write(`${request.url}: ${String(error)}\n`)
    if (response.headersSent) return response.destroy()
    return response.writeHead(502, { 'Cache-Control': 'no-store' }).end('Please try again in a minute.')
  })
})
server.listen(Number(process.env['WEBSITE_PORT'] ?? 8081), () => {
  const address = server.address()
  if (typeof address === 'object')
    process.stdout.write(`The website is at http://127.0.0.1:${address?.port}\n`)
})
