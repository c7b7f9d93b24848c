/** The baseline: a bare `node:http` server, which reads each request and sends the response that it last received with PUT. */
import { createServer, type RequestListener } from 'node:http'
import type { BaselineResponse } from './measure.js'

/** From this size on a buffer is written faster than a text, which goes out in one piece with the head. */
const textLimit = 8192
/** Node writes these itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

type Prepared = Omit<BaselineResponse, 'body'> & { readonly body: string | Buffer }
let prepared: Prepared = { status: 200, headers: {}, body: 'ready' }

const prepare = ({ status, headers, body }: BaselineResponse): void => {
  const bytes = Buffer.from(body, 'base64')
  const isText = bytes.length < textLimit && bytes.every((byte) => byte < 0x80)
  prepared = {
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name))),
    body: isText ? bytes.toString('latin1') : bytes,
  }
}

const respond: RequestListener = (request, response) => {
  const reply = (): void => {
    response.writeHead(prepared.status, prepared.headers)
    response.end(prepared.body, 'latin1')
  }
  if (request.method === 'GET') return reply()
  // Read whole, as the service does, in the way that costs Node least.
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    if (request.method === 'PUT') prepare(JSON.parse(body.toString()) as BaselineResponse)
    reply()
  })
}

createServer(respond).listen(Number(process.env['PORT']), '127.0.0.1')
