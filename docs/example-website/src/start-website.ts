/** The website as an HTTP server. The service resolves the addresses of pages. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createClient, dataOf, type components } from '@publishing-service/client'
import { widths } from './components.js'
import { documentOf } from './document.js'
import * as pages from './pages.js'
import { openPublication, unlessMissing, type Publication } from './publication.js'

type Options = {
  readonly service: string
  readonly key: string
  readonly secret: string
  readonly port: number
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cache-Control': 'public, max-age=60',
}
const assets: Readonly<Record<string, string>> = { '/style.css': 'text/css', '/icon.svg': 'image/svg+xml' }

type Resolution = Exclude<components['schemas']['Resolution'], { readonly type: 'redirect' }>

const objectPage = (from: Publication, { type, uuid }: Resolution, number: number): Promise<pages.Page> => {
  switch (type) {
    case 'homepage':
      return pages.frontPage(from, uuid)
    case 'section':
      return pages.sectionPage(from, uuid, number)
    case 'content':
      return pages.contentPage(from, uuid)
    case 'location':
      return pages.locationPage(from, uuid)
    case 'tag':
      return pages.tagPage(from, uuid, number)
  }
}

/** The pages of the website itself, whose paths belong to no object. */
const ownPage = (from: Publication, path: string, number: number): Promise<pages.Page> | null => {
  if (path === '/locations/') return pages.directoryPage(from, number)
  const [calendar, month] = /^\/calendar\/(?:(\d{4}-(?:0[1-9]|1[0-2]))\/)?$/.exec(path) ?? []
  return calendar === undefined
    ? null
    : pages.calendarPage(from, month ?? new Date().toISOString().slice(0, 7))
}

/** Starts the website, and returns its server once it accepts connections. */
export const startWebsite = async ({ service, port, ...credentials }: Options): Promise<Server> => {
  const client = createClient({ service, ...credentials })
  const iid = (await client.token()).items[0]?.id ?? 1
  const from = openPublication(client, iid)

  const sendImage = async (
    response: ServerResponse,
    uuid: string,
    upload: number,
    w: number,
  ): Promise<void> => {
    const params = { path: { iid, uuid, upload }, query: { w } }
    const result = await client.GET('/{iid}/files/{uuid}/download/{upload}', {
      params,
      parseAs: 'arrayBuffer',
    })
    const data = Buffer.from(dataOf(result))
    const type = result.response.headers.get('Content-Type') ?? 'application/octet-stream'
    response
      .setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      .setHeader('Content-Type', type)
      .end(data)
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search, searchParams } = new URL(`http://website${request.url}`)
    const [, uuid, upload, width] = /^\/images\/([^/]+)\/(\d+)\/(\d+)$/.exec(pathname) ?? []
    if (uuid !== undefined && widths.includes(Number(width)))
      return sendImage(response, uuid, Number(upload), Number(width))
    const type = assets[pathname]
    if (type !== undefined) {
      response
        .setHeader('Content-Type', type)
        .end(await readFile(new URL(`../public${pathname}`, import.meta.url)))
      return
    }
    const number = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
    const path = pathname + search
    const found = await client
      .GET('/{iid}/resolve', { params: { path: { iid }, query: { path } } })
      .then(dataOf)
      .catch(unlessMissing)
    if (found?.type === 'redirect') {
      response.writeHead(found.status, { Location: found.location }).end()
      return
    }
    const page = await (found === null ? ownPage(from, pathname, number) : objectPage(from, found, number))
    response.writeHead(page === null ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(documentOf(await from.site(), pathname, page ?? pages.missingPage).html)
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    respond(request, response).catch((error: unknown) => {
      process.stderr.write(`${request.url}: ${String(error)}\n`)
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
  })
  return new Promise((resolve) => server.listen(port, () => resolve(server)))
}
