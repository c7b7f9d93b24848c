/** The website as an HTTP server. The service resolves the addresses of pages. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createClient, dataOf, ServiceError } from '@publishing-service/client'
import { widths } from './components.js'
import { documentOf } from './document.js'
import { pagesOf } from './pages.js'
import { openPublication } from './publication.js'

const {
  SERVICE = 'http://127.0.0.1:8080',
  API_KEY = '',
  API_SECRET = '',
  WEBSITE_PORT = '8081',
} = process.env

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const assets: Readonly<Record<string, string>> = { '/style.css': 'text/css', '/icon.svg': 'image/svg+xml' }

const client = createClient({ service: SERVICE, key: API_KEY, secret: API_SECRET })
const publication = await openPublication(client)
const pages = pagesOf(publication)
const { iid } = publication

/** The pages of the website that are no objects of the service. */
const ownPage = (path: string, number: number) => {
  const [calendar, month] = /^\/calendar\/(?:(\d{4}-(?:0[1-9]|1[0-2]))\/)?$/.exec(path) ?? []
  if (calendar !== undefined) return pages.calendar(month ?? new Date().toISOString().slice(0, 7))
  return path === '/locations/' ? pages.directory(number) : null
}

const sendImage = async (response: ServerResponse, uuid: string, upload: string, width: string) => {
  const params = { path: { iid, uuid, upload: Number(upload) }, query: { w: Number(width) } }
  const result = await client.GET('/{iid}/files/{uuid}/download/{upload}', { params, parseAs: 'arrayBuffer' })
  const data = Buffer.from(dataOf(result))
  response.setHeader('Content-Type', result.response.headers.get('Content-Type') ?? '')
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable').end(data)
}

const respond = async ({ url }: IncomingMessage, response: ServerResponse): Promise<unknown> => {
  const { pathname, search, searchParams } = new URL(`http://website${url}`)
  const [, uuid = '', upload = '', width = ''] = /^\/images\/([^/]+)\/(\d+)\/(\d+)$/.exec(pathname) ?? []
  if (widths.includes(width)) return sendImage(response, uuid, upload, width)
  const type = assets[pathname]
  if (type !== undefined) {
    const data = await readFile(new URL(`../public${pathname}`, import.meta.url))
    return response.setHeader('Content-Type', type).end(data)
  }
  const params = { path: { iid }, query: { path: pathname + search } }
  const resolved = await client.GET('/{iid}/resolve', { params })
  const found = resolved.response.status === 404 ? null : dataOf(resolved)
  if (found?.type === 'redirect') return response.writeHead(found.status, { Location: found.location }).end()
  const number = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  const page = await (found === null
    ? ownPage(pathname, number)
    : pages.objects[found.type](found.uuid, number))
  response.writeHead(page === null ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
  return response.end(documentOf(publication.site(), pathname, page ?? pages.missing).html)
}

const server = createServer((request, response) => {
  response.setHeader('Content-Security-Policy', policy).setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Cache-Control', 'public, max-age=60')
  respond(request, response).catch((error: unknown) => {
    process.stderr.write(`${request.url}: ${String(error)}\n`)
    response.writeHead(error instanceof ServiceError && error.status === 404 ? 404 : 502).end()
  })
})
server.listen(Number(WEBSITE_PORT), () => {
  const address = server.address()
  if (typeof address === 'object')
    process.stdout.write(`The website is at http://127.0.0.1:${address?.port}\n`)
})
