/**
 * A baseline server on the client of MinIO: `node:http` that passes an object on, chunk by chunk, in both directions. No
 * rules, roles, digests, ranges or limits: the least cost of a Node server between a client and MinIO.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { Client } from 'minio'

const [, , port, url = '', accessKey = '', secretKey = '', bucket = ''] = process.argv
const { hostname, port: minioPort } = new URL(url)
const client = new Client({
  endPoint: hostname,
  port: Number(minioPort),
  useSSL: false,
  accessKey,
  secretKey,
})
const object = 'relayed'

const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method === 'POST') {
    await client.putObject(bucket, object, request)
    response.end()
  } else if (request.url === `/${object}`) await pipeline(await client.getObject(bucket, object), response)
  else response.end()
}

createServer((request, response) => {
  relay(request, response).catch((error: unknown) =>
    response.destroy(error instanceof Error ? error : undefined),
  )
}).listen(Number(port), '127.0.0.1')
