/**
 * A second user of a MinIO server, without permissions, for tests with a bucket of another account. MinIO accepts
 * a new user’s secret encrypted with the administrator’s, by a signed request to its admin API.
 */
import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { MinioServer } from './minio-server.js'

export type MinioUser = { readonly accessKey: string; readonly secretKey: string }

/** MinIO’s identifier of PBKDF2 with AES-GCM, and its iteration count. */
const [algorithm, iterations] = [2, 8192] as const

/** One block of MinIO’s encrypted streams, which is also the last: at most 16 KiB. */
const encrypted = (password: string, text: string): Buffer => {
  const [salt, nonce] = [randomBytes(32), randomBytes(8)]
  const key = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const cipherOf = (piece: number) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32LE(piece)
    return createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, counter]))
  }
  const beginning = cipherOf(0)
  beginning.final()
  const only = cipherOf(1)
  only.setAAD(Buffer.concat([Buffer.of(0x80), beginning.getAuthTag()]))
  const body = Buffer.concat([only.update(text), only.final(), only.getAuthTag()])
  return Buffer.concat([salt, Buffer.of(algorithm), nonce, body])
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers of a PUT with an AWS signature (version 4) of the administrator. */
const signed = (server: MinioServer, url: URL, body: Buffer): Readonly<Record<string, string>> => {
  const time = new Date().toISOString().replaceAll(/[:-]|\.\d+/g, '')
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const digest = createHash('sha256').update(body).digest('hex')
  const names = 'host;x-amz-content-sha256;x-amz-date'
  const headers = `host:${url.host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`
  const request = `PUT\n${url.pathname}\n${url.searchParams.toString()}\n${headers}\n${names}\n${digest}`
  const stringToSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash('sha256').update(request).digest('hex')}`
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${server.secretKey}`)
  const signature = hmac(key, stringToSign).toString('hex')
  return {
    'x-amz-content-sha256': digest,
    'x-amz-date': time,
    Authorization: `AWS4-HMAC-SHA256 Credential=${server.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** Creates the user. Rejects with the response of the server if that fails. */
export const createMinioUser = async (server: MinioServer): Promise<MinioUser> => {
  const user = {
    accessKey: `user-${randomBytes(6).toString('hex')}`,
    secretKey: randomBytes(15).toString('hex'),
  }
  const url = new URL(`/minio/admin/v3/add-user?accessKey=${user.accessKey}`, server.url())
  const body = encrypted(server.secretKey, JSON.stringify({ secretKey: user.secretKey, status: 'enabled' }))
  const response = await fetch(url, { method: 'PUT', headers: signed(server, url, body), body })
  if (!response.ok) throw new Error(`MinIO created no user: ${response.status} ${await response.text()}`)
  return user
}
