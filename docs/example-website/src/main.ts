/** The website as an HTTP server. The service resolves the addresses of its pages. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createClient, dataOf, ServiceError } from '@publishing-service/client'
import { documentOf } from './document.js'
import { pagesOf, type Page } from './pages.js'
import { widths } from './parts.js'
import { openPublication } from './publication.js'
import { searchPage } from './search.js'

const { SERVICE: service = 'http://127.0.0.1:8080', API_KEY: key = '', API_SECRET: secret = '' } = process.env
const client = createClient({ service, key, secret })
const publication = await openPublication(client)
const pages = pagesOf(publication)
const path = { iid: publication.iid }

/** The pages of the website that are no objects of the service. */
const ownPage = (address: string, number: number, words: string) => {
  const [calendar, month] = /^\/calendar\/(?:((?:19|20)\d\d-(?:0[1-9]|1[0-2]))\/)?$/.exec(address) ?? []
  if (calendar !== undefined) return pages.calendar(month ?? new Date().toISOString().slice(0, 7))
  if (address === '/search/') return searchPage(publication, words)
  return address === '/locations/' ? pages.directory(number) : null
}

/** An image in the format that the browser prefers, which it names in the header Accept. */
const sendImage = async (response: ServerResponse, uuid: string, upload: number, w: number) => {
  const params = { path: { ...path, uuid, upload }, query: { w, format: 'auto' as const } }
  const { accept: Accept = '' } = response.req.headers
  const options = { params, headers: { Accept }, parseAs: 'arrayBuffer' as const }
  const image = await client.GET('/{iid}/files/{uuid}/download/{upload}', options)
  const [data, type] = [Buffer.from(dataOf(image)), image.response.headers.get('Content-Type') ?? '']
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable').setHeader('Content-Type', type)
  response.setHeader('Vary', 'Accept').end(data)
}

const sendFeed = async (response: ServerResponse, feed: string) => {
  const params = { path: { ...path, feed } }
  const atom = dataOf(await client.GET('/{iid}/feed/{feed}.atom', { params, parseAs: 'text' }))
  return response.setHeader('Content-Type', 'application/atom+xml').end(atom)
}

const assets = { '/style.css': 'text/css', '/icon.svg': 'image/svg+xml', '/search.js': 'text/javascript' }
const missing = pages.notice('Not found', 'There is no page at this address.')
const unavailable = pages.notice('Unavailable', 'Please try again in a minute.')

const sendPage = (response: ServerResponse, status: number, page: Page, address = '') => {
  const { html } = documentOf(publication, address, page)
  return response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
}

const respond = async ({ url }: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const { pathname, search, searchParams } = new URL(`http://website${url}`)
  const [, uuid = '', upload = '', width = ''] = /^\/images\/([^/]+)\/(\d+)\/(\d+)$/.exec(pathname) ?? []
  if (widths.includes(width)) return sendImage(response, uuid, Number(upload), Number(width))
  const [, feed] = /^\/feed\/([\w-]+)\.atom$/.exec(pathname) ?? []
  if (feed !== undefined) return sendFeed(response, feed)
  const [asset, type = ''] = Object.entries(assets).find(([each]) => each === pathname) ?? []
  const file = new URL(`../public${asset}`, import.meta.url)
  if (asset) return response.setHeader('Content-Type', type).end(await readFile(file))

  const params = { path, query: { path: pathname + search } }
  const resolved = await client.GET('/{iid}/resolve', { params })
  const found = resolved.response.status === 404 ? null : dataOf(resolved)
  if (found?.type === 'redirect') return response.writeHead(found.status, { Location: found.location }).end()
  const number = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  const q = searchParams.get('q') ?? ''
  const page = await (found ? pages.objects[found.type](found.uuid, number) : ownPage(pathname, number, q))
  return page === null ? sendPage(response, 404, missing) : sendPage(response, 200, page, pathname)
}

const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'"
const server = createServer((request, response) => {
  response.setHeader('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
  response.setHeader('X-Content-Type-Options', 'nosniff').setHeader('Cache-Control', 'public, max-age=60')
  respond(request, response).catch((error: unknown) => {
    const isMissing = error instanceof ServiceError && (error.status === 400 || error.status === 404)
    if (isMissing) return sendPage(response, 404, missing)
    process.stderr.write(`${request.url}: ${String(error)}\n`)
    return sendPage(response.setHeader('Cache-Control', 'no-store'), 502, unavailable)
  })
})
server.listen(Number(process.env['WEBSITE_PORT'] ?? 8081), () => {
  const address = server.address()
  if (typeof address === 'object')
    process.stdout.write(`The website is at http://127.0.0.1:${address?.port}\n`)
})
