import type { ServerResponse } from 'node:http'

/** Sends a page of the service's own documentation; it holds no script and loads nothing. */
export const sendPage = (response: ServerResponse, html: string): void => {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(html)
}
