import type { ServerResponse } from 'node:http'
import { cacheControl } from '@publishing-service/http-contract'
import { varyOf } from './cross-origin.js'

/** Redirects a client that prefers a page to what the address answers to programs. */
export const sendRedirect = (response: ServerResponse, location: string): void => {
  response
    .writeHead(302, {
      Location: location,
      'Cache-Control': cacheControl.documentation,
      'Content-Length': 0,
      Vary: varyOf(response),
    })
    .end()
}
