import type { Context } from 'koa'
import { isUnchanged } from './entity-tag.js'
import { addSent } from './exchange.js'
import type { WebFile } from './web-file.js'

/** Sends a file of the documentation, compressed where the client accepts that, or 304 where the client has it. */
export const sendWebFile = (context: Context, file: WebFile): void => {
  const response = context.res
  const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
  const body = isCompressed ? file.gzipped : file.body
  const tag = isCompressed ? `"${file.tag}-gzip"` : `"${file.tag}"`
  const common = {
    'Cache-Control': file.cacheControl,
    ETag: tag,
    Vary: [file.vary, response.getHeader('Vary')].filter((each) => each !== undefined).join(', '),
  }
  if (isUnchanged(context.req.headers['if-none-match'], tag)) {
    response.writeHead(304, common).end()
    return
  }
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
    ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    ...common,
  })
  addSent(response, body.length)
  response.end(body)
}
