/** A baseline server with `node:http`: reads each request to its end and sends the bytes that it was sent. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'

type Instruction = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}
type Ready = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** From this size on a buffer is written faster than a text, which goes out in one piece with the head. */
const textLimit = 8192

/** Node writes these itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

const preparedResponse = ({ status, headers, body }: Instruction): Ready => {
  const bytes = Buffer.from(body, 'base64')
  return {
    status,
    headers: Object.fromEntries(headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()))),
    body: bytes.length < textLimit && bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : bytes,
  }
}

const prepared = { current: preparedResponse({ status: 200, headers: [], body: '' }) }

const bodyOf = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('error', reject)
    request.once('end', () => resolve(Buffer.concat(chunks)))
  })

const bareNode: RequestListener = (request, response) => {
  const reply = (): void => {
    const { status, headers, body } = prepared.current
    response.writeHead(status, headers)
    response.end(body, 'latin1')
  }
  if (request.method === 'GET') reply()
  else void bodyOf(request).then(reply, () => response.destroy())
}

const [, , port] = process.argv

process.on('message', (instruction) => {
  prepared.current = preparedResponse(instruction as Instruction)
  process.send?.('ready')
})
process.once('disconnect', () => process.exit(0))

createServer(bareNode).listen(Number(port), '127.0.0.1')
