import type { Problem } from '@publishing-service/domain'
import { isUnchanged } from './entity-tag.js'
import { addSent, type Exchange } from './exchange.js'
import type { WebFile } from './web-file.js'

/**
 * Sends a file of the documentation, compressed where the client accepts that, or 304 where the client has it. Returns
 * the problem to send where neither is possible.
 */
export const sendWebFile = ({ context, unsent }: Exchange, file: WebFile): Problem | null => {
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
    return null
  }
  const refusal = unsent.add(response, body.length)
  if (refusal !== null) return refusal
  response.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    'X-Content-Type-Options': 'nosniff',
    ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    ...common,
  })
  addSent(response, body.length)
  response.end(body)
  return null
}
